// Picked photos are stored at once, and examined afterwards.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MAX_IMAGES } from '#contract/limits.ts'
import type { PictureProblem } from '#contract/kinds/measure.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import type { StoredPick } from '#src/domain/media/prepare/prepare.ts'
import { Intake, type Refused } from './intake.ts'

/** Examines files by their names: `broken.jpg` is broken. It waits for `examining`. */
let examining = Promise.resolve()
/** Called when an examination begins. */
let began = (): void => {}
vi.mock('#src/domain/media/prepare/examine.ts', () => ({
  pictureProblem: async (file: File): Promise<PictureProblem | undefined> => {
    began()
    await examining
    if (file.name.startsWith('throws')) throw new Error('no memory')
    return file.name.startsWith('broken') ? 'broken' : undefined
  },
}))

let page: EventTarget
beforeEach(() => {
  examining = Promise.resolve()
  began = () => {}
  vi.stubGlobal('window', (page = new EventTarget()))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Start of a JPEG of one pixel, and its frame header. */
const head = new Uint8Array([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1])
const jpeg = (name: string) => new File([head], name, { type: 'image/jpeg' })
const svg = (name: string) =>
  new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], name, { type: 'image/svg+xml' })

type Stores = (photos: readonly StoredPick[]) => Promise<Media[] | undefined>
let ids = 0
const rows: Stores = async (photos) =>
  photos.map(({ file }) => ({ id: `${file.name}-${ids++}`, draftId: 'one', name: file.name }) as Media)

/** What the device has of a photo: `gone.jpg` is not readable. */
const onDevice = async ({ name }: Media): Promise<Blob> => {
  if (name === 'gone.jpg') throw new DOMException('gone', 'NotReadableError')
  return new Blob([head])
}

function draftWithIntake(store: Stores = rows, existing: Media[] = []) {
  let id = 'one'
  const log: string[] = []
  const refused: Refused[] = []
  const waiting: number[] = []
  const intake = new Intake({
    draft: () => ({ id, keepSize: false }) as Draft,
    existing: () => [...existing],
    add: async (file) => void log.push(`add ${file.name}`),
    addPhotos: (_draftId, photos) => {
      log.push(`at once ${photos.map(({ file }) => file.name).join(' ')}`)
      return store(photos)
    },
    stored: onDevice,
    remove: async (mediaId) => void log.push(`remove ${mediaId.replace(/-\d+$/, '')}`),
    refuse: (it) => void refused.push(it),
    waiting: (count) => void waiting.push(count),
  })
  return { intake, log, refused, waiting, switchTo: (next: string) => (id = next) }
}

const isWarned = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }))

test('photos that follow one another are stored at once, in the order of the pick', async () => {
  const { intake, log, waiting } = draftWithIntake()
  await intake.add([jpeg('a.jpg'), jpeg('b.jpg'), svg('c.svg'), jpeg('d.jpg')], 'media')
  expect(log).toEqual(['at once a.jpg b.jpg', 'add c.svg', 'at once d.jpg'])
  expect(waiting).toEqual([4, 2, 1, 0])
})

test('a photo that the server would refuse is taken out again, under the name of the picked file', async () => {
  const { intake, log, refused } = draftWithIntake()
  await intake.add([jpeg('a.jpg'), jpeg('broken.png'), jpeg('throws.jpg')], 'media')
  expect(log).toEqual(['at once a.jpg broken.jpg throws.jpg', 'remove broken.jpg', 'remove throws.jpg'])
  expect(refused).toEqual([
    { name: 'broken.png', why: 'broken' },
    { name: 'throws.jpg', why: 'unconvertible' },
  ])
})

test('a photo whose file was deleted while it was stored is unreadable, and taken out again', async () => {
  const { intake, log, refused } = draftWithIntake()
  await intake.add([jpeg('gone.jpg')], 'media')
  expect(log).toEqual(['at once gone.jpg', 'remove gone.jpg'])
  expect(refused).toEqual([{ name: 'gone.jpg', why: 'unreadable' }])
})

test('the page may be closed while stored photos are examined, and a submission waits for it', async () => {
  const examination = Promise.withResolvers<void>()
  examining = examination.promise
  const stored = Promise.withResolvers<void>()
  const { intake, log, waiting } = draftWithIntake(async (photos) => {
    await stored.promise
    return rows(photos)
  })
  const done = intake.add([jpeg('broken.jpg')], 'media')
  expect(isWarned()).toBe(true)
  stored.resolve()
  await expect.poll(isWarned).toBe(false)
  expect([log, waiting.at(-1)]).toEqual([['at once broken.jpg'], 0])
  const idle = intake.idle().then(() => log.push('idle'))
  examination.resolve()
  await Promise.all([done, idle])
  expect(log).toEqual(['at once broken.jpg', 'remove broken.jpg', 'idle'])
})

test.each<[string, Stores]>([
  ['cannot be stored at once', async () => undefined],
  ['fail to be stored at once', () => Promise.reject(new TypeError('bug'))],
])('photos that %s are examined and added one by one', async (_name, store) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { intake, log, refused, waiting } = draftWithIntake(store)
  await intake.add([jpeg('a.jpg'), jpeg('broken.jpg'), jpeg('b.jpg')], 'media')
  expect(log).toEqual(['at once a.jpg broken.jpg b.jpg', 'add a.jpg', 'add b.jpg'])
  expect(refused).toEqual([{ name: 'broken.jpg', why: 'broken' }])
  expect(waiting).toEqual([3, 2, 1, 0])
})

test('of too many photos the first ones are stored, and the others refused by name', async () => {
  const there = Array.from({ length: MAX_IMAGES - 1 }, () => ({ kind: 'image', size: 1 }) as Media)
  const { intake, log, refused } = draftWithIntake(
    rows,
    there.map((it) => ({ ...it, name: 'x.jpg', mime: 'image/jpeg', conversion: { is: 'ready' } })),
  )
  await intake.add([jpeg('a.jpg'), jpeg('b.jpg')], 'media')
  expect(log).toEqual(['at once a.jpg'])
  expect(refused).toEqual([{ name: 'b.jpg', why: 'too_many_images' }])
})

test('photos of a draft that was sent or discarded are neither stored nor refused', async () => {
  const { intake, log, refused, waiting, switchTo } = draftWithIntake()
  const done = intake.add([jpeg('a.jpg')], 'media')
  switchTo('two')
  await done
  expect([log, refused, waiting]).toEqual([[], [], [1, 0]])
})

test('a photo of a draft that was discarded during its examination is not refused', async () => {
  const examination = Promise.withResolvers<void>()
  examining = examination.promise
  const { intake, log, refused, waiting, switchTo } = draftWithIntake()
  const done = intake.add([jpeg('broken.jpg')], 'media')
  await expect.poll(() => waiting.at(-1)).toBe(0)
  switchTo('two')
  examination.resolve()
  await done
  expect([log, refused]).toEqual([['at once broken.jpg'], []])
})

test('a file of a draft that was sent during its examination is not put into the next one', async () => {
  const begun = Promise.withResolvers<void>()
  const examination = Promise.withResolvers<void>()
  examining = examination.promise
  began = begun.resolve
  const { intake, log, switchTo } = draftWithIntake()
  const done = intake.add([svg('a.svg')], 'media')
  await begun.promise
  switchTo('two')
  examination.resolve()
  await done
  expect(log).toEqual([])
})
