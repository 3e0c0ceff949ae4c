// Picked files of a message are stored again after the browser has cleared its storage.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { transact } from '#device/database/database.ts'
import { type Between, isMissing, readMessageDraft } from '#device/jobs/message.ts'
import { addFile, restoreFiles } from './intake.ts'

vi.mock('#src/domain/media/film/video-client.ts', () => ({
  filmOf: async ({ name }: File) => ({
    problem: name === 'sound.hevc' ? 'no_picture' : null,
    cut: null,
    isCropped: false,
  }),
}))

/** The beginning of a JPEG, up to the header of its frame. */
const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0)
const picture = (name: string) => new File([jpeg], name, { type: 'image/jpeg' })

let between: Between
beforeEach(() => {
  between = { ownerId: newId(), recipientId: newId() }
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => vi.unstubAllGlobals())

const shown = async () => (await readMessageDraft(between))?.media ?? []
const names = async () => (await shown()).map((it) => it.name)

/** Deletes what the device has of messages, as the browser does. */
const clear = () =>
  transact(['messageDrafts', 'media', 'chunks'], 'readwrite', async (tx) => {
    for (const store of ['messageDrafts', 'media', 'chunks'] as const) await tx.objectStore(store).clear()
  })

test('files of this page are stored again in their order, and can be cleared once more', async () => {
  for (const name of ['a.jpg', 'b.jpg']) expect(await addFile(between, picture(name))).toBeUndefined()
  for (let times = 0; times < 2; times++) {
    const before = await shown()
    await clear()
    expect(await isMissing(between, before)).toBe(true)
    expect(await restoreFiles(between, before)).toEqual([])
    expect(await names()).toEqual(['a.jpg', 'b.jpg'])
    expect(await isMissing(between, await shown())).toBe(false)
  }
})

test('a file that another page has picked is named as cleared, and the others are stored again', async () => {
  for (const name of ['a.jpg', 'b.jpg']) await addFile(between, picture(name))
  const before = (await shown()).map((it) => (it.name === 'a.jpg' ? { ...it, id: newId() } : it))
  await clear()
  expect(await restoreFiles(between, before)).toEqual([{ name: 'a.jpg', why: 'evicted' }])
  expect(await names()).toEqual(['b.jpg'])
})

test('a file that can no longer be read is named with its reason', async () => {
  await addFile(between, picture('a.jpg'))
  const before = await shown()
  await clear()
  vi.spyOn(Blob.prototype, 'slice').mockImplementation(() => {
    throw new DOMException('gone', 'NotReadableError')
  })
  expect(await restoreFiles(between, before)).toEqual([{ name: 'a.jpg', why: 'unreadable' }])
  vi.restoreAllMocks()
  expect(await names()).toEqual([])
})

test('a video of sound alone is refused', async () => {
  const hevc = new Uint8Array([0, 0, 0, 1, 0x40, 1, 0, 0, 1, 0x42, 1, 0, 0, 1, 0x44, 1])
  expect(await addFile(between, new File([hevc], 'sound.hevc'))).toBe('no_picture')
  expect(await names()).toEqual([])
})
