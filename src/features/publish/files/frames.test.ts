// The frame of a video is taken once, and again after an interruption.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { copyFile } from '#device/files/import-file.ts'
import { closeDatabase } from '#device/database/database.ts'
import { emptyDraft } from '#device/drafts/drafts.ts'
import { addMedia, listMedia } from '#device/files/media.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import type { Cut } from '#src/domain/media/film/film-facts.ts'
import { Frames } from './frames.ts'
import { mediaRowOf } from './new-row.ts'

const picture = new Blob(['a picture'], { type: 'image/jpeg' })
let cut: Cut | null = null
vi.mock('#src/domain/media/film/video-client.ts', () => ({
  filmOf: async () => ({ problem: null, cut, isCropped: false }),
}))
vi.mock('#src/domain/media/film/video-frame.ts', () => ({
  frameOf: async () => ({ duration: cut ? cut.seconds : 7, picture, cut }),
}))

const film = new File(['a film'], 'film.mp4', { type: 'video/mp4' })
const none: ReadonlySet<string> = new Set()

afterEach(async () => {
  cut = null
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

/** Frames of an opened draft; `durations` are the stored lengths when a picture is stored. */
function frames(draft: Draft) {
  const durations: (number | null | undefined)[] = []
  const pictures: string[] = []
  const cuts: [string, number][] = []
  const taken = new Frames({
    draft: () => draft,
    store: async (file) => {
      durations.push((await listMedia(draft.id))[0]?.duration)
      pictures.push(await file.text())
    },
    cut: (id, { seconds }) => void cuts.push([id, seconds]),
    taking: () => undefined,
  })
  return { taken, durations, pictures, cuts }
}

test('the length is stored after the frame, so that an interrupted page takes both again', async () => {
  const { draft, video } = await draftWithVideo()
  const first = frames(draft)
  first.taken.resume([video], none)
  await first.taken.idle()
  expect([first.durations, first.pictures]).toEqual([[null], ['a picture']])
  expect((await listMedia(draft.id))[0]?.duration).toBe(7)
})

test('a partly stored frame is taken again, a complete one is not', async () => {
  const { draft, video } = await draftWithVideo()
  const opened = frames({ ...draft, frameId: 'half' })
  opened.taken.resume([video], none)
  await opened.taken.idle()
  expect(opened.pictures).toEqual([])
  opened.taken.resume([video], new Set(['half']))
  await opened.taken.idle()
  expect(opened.pictures).toEqual(['a picture'])
})

test('no frame is taken of a video with a length, and one of a picked video only once', async () => {
  const { draft, video } = await draftWithVideo()
  const opened = frames(draft)
  opened.taken.resume([{ ...video, duration: 7 }], none)
  opened.taken.take(video, film)
  opened.taken.resume([video], none)
  await opened.taken.idle()
  expect(opened.pictures).toEqual(['a picture'])
})

test('a video that is cut off has the length of what is there, and is found again on a later visit', async () => {
  const { draft, video } = await draftWithVideo()
  cut = { seconds: 3, indexed: 7 }
  const first = frames(draft)
  first.taken.take(video, film)
  await first.taken.idle()
  const [stored] = await listMedia(draft.id)
  expect([stored?.duration, first.cuts]).toEqual([3, [[video.id, 3]]])
  const later = frames({ ...draft, frameId: 'taken' })
  for (let times = 0; times < 2; times++) later.taken.resume(stored ? [stored] : [], none)
  await vi.waitFor(() => expect(later.cuts).toEqual([[video.id, 3]]))
  expect(later.pictures).toEqual([])
})
