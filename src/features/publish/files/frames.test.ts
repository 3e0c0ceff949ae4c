// The picture of a video: taken once, and taken again where the page was left before it was stored.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { copyFile } from '#device/files/import-file.ts'
import { closeDatabase } from '#device/database/database.ts'
import { emptyDraft } from '#device/drafts/drafts.ts'
import { addMedia, listMedia } from '#device/files/media.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { Frames } from './frames.ts'
import { mediaRowOf } from './new-row.ts'

const picture = new Blob(['a picture'], { type: 'image/jpeg' })
vi.mock('#src/domain/media/prepare/video-frame.ts', () => ({
  frameOf: async () => ({ duration: 7, picture }),
}))

const film = new File(['a film'], 'film.mp4', { type: 'video/mp4' })
const none: ReadonlySet<string> = new Set()

afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

async function draftWithVideo(): Promise<{ draft: Draft; video: Media }> {
  const empty = emptyDraft(newId(), Date.now())
  const row = mediaRowOf(empty, film, { kind: 'video', role: 'media', conversion: { is: 'ready' } })
  const draft = await addMedia(empty, row, Date.now())
  await copyFile(row, film)
  const [video] = await listMedia(empty.id)
  if (!draft || !video) throw new Error('the video was not stored')
  return { draft, video }
}

/** Frames of an opened draft; `left` is what the draft was left with, when the picture was given to be stored. */
function frames(draft: Draft) {
  const left: (number | null | undefined)[] = []
  const pictures: string[] = []
  const taken = new Frames({
    draft: () => draft,
    keep: async (file) => {
      left.push((await listMedia(draft.id))[0]?.duration)
      pictures.push(await file.text())
    },
    taking: () => undefined,
  })
  return { taken, left, pictures }
}

test('its length is stored after its picture: a page left between the two measures it again', async () => {
  const { draft, video } = await draftWithVideo()
  const first = frames(draft)
  first.taken.resume([video], none)
  await first.taken.settled()
  expect([first.left, first.pictures]).toEqual([[null], ['a picture']])
  expect((await listMedia(draft.id))[0]?.duration).toBe(7)
})

test('a picture that was stored in part is taken again, a whole one is not', async () => {
  const { draft, video } = await draftWithVideo()
  const opened = frames({ ...draft, frameId: 'half' })
  opened.taken.resume([video], none)
  await opened.taken.settled()
  expect(opened.pictures).toEqual([])
  opened.taken.resume([video], new Set(['half']))
  await opened.taken.settled()
  expect(opened.pictures).toEqual(['a picture'])
})

test('a video that was measured has its picture taken no more, and one in hand only once', async () => {
  const { draft, video } = await draftWithVideo()
  const opened = frames(draft)
  opened.taken.resume([{ ...video, duration: 7 }], none)
  opened.taken.take(video, film)
  opened.taken.resume([video], none)
  await opened.taken.settled()
  expect(opened.pictures).toEqual(['a picture'])
})
