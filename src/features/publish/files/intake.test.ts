// Picked files on their way into a draft: each into the draft it was picked for, in order, or refused by name.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Draft, Media } from '#device/database/schema.ts'
import { Intake, type Refused, type Taken } from './intake.ts'

let page: EventTarget
beforeEach(() => void vi.stubGlobal('window', (page = new EventTarget())))
afterEach(() => void vi.unstubAllGlobals())

const draftOf = (id: string) => ({ id, keepSize: false }) as Draft
const svg = (name: string) =>
  new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], name, { type: 'image/svg+xml' })
/** Reading its first bytes waits for the test. */
class SlowFile extends File {
  readonly begun = Promise.withResolvers<void>()
  readonly reading = Promise.withResolvers<void>()
  override slice(from?: number, to?: number): Blob {
    this.begun.resolve()
    const part = super.slice(from, to)
    const arrayBuffer = () => this.reading.promise.then(() => part.arrayBuffer())
    return Object.assign(Object.create(part) as Blob, { arrayBuffer })
  }
}

function desk() {
  let draft = draftOf('one')
  const taken: [string, Taken['role']][] = []
  const refused: Refused[] = []
  const waiting: number[] = []
  const intake = new Intake({
    draft: () => draft,
    there: (): Media[] => [],
    take: async (file, { role }) => void taken.push([file.name, role]),
    refuse: (it) => void refused.push(it),
    waiting: (count) => void waiting.push(count),
  })
  return { intake, taken, refused, waiting, become: (id: string) => (draft = draftOf(id)) }
}

describe('picked files', () => {
  test('are taken one after the other, and counted while they are on their way', async () => {
    const { intake, taken, refused, waiting } = desk()
    const slow = new SlowFile([svg('a.svg')], 'a.svg')
    const done = intake.add([slow, svg('b.svg')], 'media')
    expect(taken).toEqual([])
    slow.reading.resolve()
    await done
    expect([taken, refused]).toEqual([
      [
        ['a.svg', 'media'],
        ['b.svg', 'media'],
      ],
      [],
    ])
    expect(waiting).toEqual([2, 1, 0])
  })

  test('are asked about from the pick on when the page is closed, until the last is taken', async () => {
    const { intake } = desk()
    const asks = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    const slow = new SlowFile([svg('a.svg')], 'a.svg')
    expect(asks()).toBe(false)
    const done = intake.add([slow, svg('b.svg')], 'media')
    expect(asks()).toBe(true)
    slow.reading.resolve()
    await done
    expect(asks()).toBe(false)
  })

  test('of a draft that was sent or discarded are not put into the next one', async () => {
    const { intake, taken, refused, waiting, become } = desk()
    const slow = new SlowFile([svg('a.svg')], 'a.svg')
    const done = intake.add([slow, svg('b.svg')], 'media')
    await slow.begun.promise
    become('two')
    slow.reading.resolve()
    await done
    expect([taken, refused, waiting.at(-1)]).toEqual([[], [], 0])
    await intake.add([svg('c.svg')], 'media')
    expect(taken).toEqual([['c.svg', 'media']])
  })

  test('that cannot be taken are refused by name, and stop none of the others', async () => {
    const { intake, taken, refused } = desk()
    await intake.add([new File(['text'], 'a.txt'), svg('b.svg')], 'media')
    expect(refused).toEqual([{ name: 'a.txt', why: 'unsupported' }])
    expect(taken).toEqual([['b.svg', 'media']])
  })

  test('that cannot be read are refused as unreadable', async () => {
    const { intake, refused } = desk()
    const slow = new SlowFile(['x'], 'a.jpg')
    slow.reading.reject(new DOMException('gone', 'NotReadableError'))
    await intake.add([slow], 'media')
    expect(refused).toEqual([{ name: 'a.jpg', why: 'unreadable' }])
  })

  test('are no thumbnail unless they are pictures', async () => {
    const { intake, taken, refused } = desk()
    const raw = new Uint8Array([0, 0, 0, 1, 0x40, 1, 0x0c])
    await intake.add([new File([raw], 'a.hevc'), svg('b.svg')], 'thumbnail')
    expect(refused).toEqual([{ name: 'a.hevc', why: 'unsupported' }])
    expect(taken).toEqual([['b.svg', 'thumbnail']])
  })
})
