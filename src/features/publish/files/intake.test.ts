// Picked files are added in order to the draft for which they were picked.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MAX_FRAMES } from '#contract/limits.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { Intake, type Refused, type AddedAs } from './intake.ts'

vi.mock('#src/domain/media/film/video-client.ts', () => ({
  filmOf: async ({ name }: File) => ({
    problem: name === 'sound.hevc' ? 'no_picture' : null,
    cut: null,
    isCropped: false,
  }),
}))

let page: EventTarget
beforeEach(() => void vi.stubGlobal('window', (page = new EventTarget())))
afterEach(() => void vi.unstubAllGlobals())

const draftOf = (id: string) => ({ id, keepSize: false }) as Draft
const svg = (name: string) =>
  new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], name, { type: 'image/svg+xml' })
/** A file whose first bytes are read when the test allows it. */
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

function draftWithIntake() {
  let draft = draftOf('one')
  const added: [string, AddedAs['role']][] = []
  const refused: Refused[] = []
  const waiting: number[] = []
  const intake = new Intake({
    draft: () => draft,
    existing: (): Media[] => [],
    add: async (file, { role }) => void added.push([file.name, role]),
    addPhotos: async () => undefined,
    stored: async () => undefined,
    remove: async () => undefined,
    refuse: (it) => void refused.push(it),
    waiting: (count) => void waiting.push(count),
  })
  return { intake, added, refused, waiting, switchTo: (id: string) => (draft = draftOf(id)) }
}

describe('picked files', () => {
  test('are added one after the other, and counted until then', async () => {
    const { intake, added, refused, waiting } = draftWithIntake()
    const slow = new SlowFile([svg('a.svg')], 'a.svg')
    const done = intake.add([slow, svg('b.svg')], 'media')
    expect(added).toEqual([])
    slow.reading.resolve()
    await done
    expect([added, refused]).toEqual([
      [
        ['a.svg', 'media'],
        ['b.svg', 'media'],
      ],
      [],
    ])
    expect(waiting).toEqual([2, 1, 0])
  })

  test('cause a warning before the page is closed, until the last one is added', async () => {
    const { intake } = draftWithIntake()
    const isWarned = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    const slow = new SlowFile([svg('a.svg')], 'a.svg')
    expect(isWarned()).toBe(false)
    const done = intake.add([slow, svg('b.svg')], 'media')
    expect(isWarned()).toBe(true)
    slow.reading.resolve()
    await done
    expect(isWarned()).toBe(false)
  })

  test('of a draft that was sent or discarded are not put into the next one', async () => {
    const { intake, added, refused, waiting, switchTo } = draftWithIntake()
    const slow = new SlowFile([svg('a.svg')], 'a.svg')
    const done = intake.add([slow, svg('b.svg')], 'media')
    await slow.begun.promise
    switchTo('two')
    slow.reading.resolve()
    await done
    expect([added, refused, waiting.at(-1)]).toEqual([[], [], 0])
    await intake.add([svg('c.svg')], 'media')
    expect(added).toEqual([['c.svg', 'media']])
  })

  test('that are unsupported are refused by name, and do not stop the others', async () => {
    const { intake, added, refused } = draftWithIntake()
    await intake.add([new File(['text'], 'a.txt'), svg('b.svg')], 'media')
    expect(refused).toEqual([{ name: 'a.txt', why: 'unsupported' }])
    expect(added).toEqual([['b.svg', 'media']])
  })

  test('that are sound alone are refused before anything is sent, and other videos are added', async () => {
    const { intake, added, refused } = draftWithIntake()
    const hevc = new Uint8Array([0, 0, 0, 1, 0x40, 1, 0, 0, 1, 0x42, 1, 0, 0, 1, 0x44, 1])
    await intake.add([new File([hevc], 'sound.hevc'), new File([hevc], 'film.hevc')], 'media')
    expect(refused).toEqual([{ name: 'sound.hevc', why: 'no_picture' }])
    expect(added).toEqual([['film.hevc', 'media']])
  })

  test('that move and exceed the limits are refused before they are sent', async () => {
    const { intake, added, refused } = draftWithIntake()
    const frames = (count: number) =>
      Buffer.concat([
        Buffer.from('4749463839610100010000000000', 'hex').subarray(0, 13),
        ...Array.from({ length: count }, () =>
          Buffer.from('2c00000000010001000002024401003b', 'hex').subarray(0, 15),
        ),
        Buffer.from(';'),
      ])
    const gif = (count: number) => new File([frames(count)], `${count}.gif`, { type: 'image/gif' })
    await intake.add([gif(MAX_FRAMES), gif(MAX_FRAMES + 1)], 'media')
    expect(added).toEqual([[`${MAX_FRAMES}.gif`, 'media']])
    expect(refused).toEqual([{ name: `${MAX_FRAMES + 1}.gif`, why: 'too_many_frames' }])
  })

  test('that cannot be read are refused as unreadable', async () => {
    const { intake, refused } = draftWithIntake()
    const slow = new SlowFile(['x'], 'a.jpg')
    slow.reading.reject(new DOMException('gone', 'NotReadableError'))
    await intake.add([slow], 'media')
    expect(refused).toEqual([{ name: 'a.jpg', why: 'unreadable' }])
  })

  test('are no thumbnail unless they are pictures', async () => {
    const { intake, added, refused } = draftWithIntake()
    const raw = new Uint8Array([0, 0, 0, 1, 0x40, 1, 0x0c])
    await intake.add([new File([raw], 'a.hevc'), svg('b.svg')], 'thumbnail')
    expect(refused).toEqual([{ name: 'a.hevc', why: 'unsupported' }])
    expect(added).toEqual([['b.svg', 'thumbnail']])
  })
})
