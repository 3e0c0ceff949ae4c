// The editor submits the draft that it shows, or says why not and changes nothing.
import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { Draft } from '#device/database/schema.ts'
import { changeDraft, discardDraft, readDraft } from '#device/drafts/drafts.ts'
import { transact } from '#device/database/database.ts'
import { addMedia } from '#device/files/media.ts'
import { listJobs } from '#device/jobs/jobs.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { draftWith, NOW } from '#device/testing/preuploads.ts'
import { DraftEditor } from './draft-editor.ts'

const device = vi.hoisted(() => ({ isFull: false }))

vi.mock('#src/sw-bridge.ts', async () => {
  const { submitDraft } = await import('#device/jobs/jobs.ts')
  const submit = async (shown: Draft) => {
    if (device.isFull) throw new DOMException('no room', 'QuotaExceededError')
    return submitDraft(shown, NOW)
  }
  return { submit }
})

/** Deletes what the device has of drafts, as an eviction does. */
const evict = (...stores: ('drafts' | 'media' | 'chunks')[]) =>
  transact([...stores], 'readwrite', async (tx) => {
    for (const it of stores) await tx.objectStore(it).clear()
  })

/** Opens the editor of a stored draft that has a video and its frame. */
async function openWithVideo(): Promise<{ editor: DraftEditor; videoId: string; ownerId: string }> {
  const { draft } = await draftWith(newId(), 0)
  const bytes = { size: 10, bytes: { is: 'stored', digest: '' } } as const
  const video = pictureRow(draft, { ...bytes, kind: 'video' })
  const frame = pictureRow(draft, { ...bytes, role: 'frame' })
  for (const it of [video, frame]) await addMedia(draft, it, NOW)
  await changeDraft(draft, (it) => ({ ...it, frameId: frame.id }), NOW)
  const stored = await readDraft(draft.id, draft.ownerId)
  if (!stored) throw new Error('the draft was not stored')
  const editor = new DraftEditor(stored)
  await editor.reload()
  return { editor, videoId: video.id, ownerId: draft.ownerId }
}

test('a draft is submitted without a video and its frame whose removal has just begun', async () => {
  const { editor, videoId, ownerId } = await openWithVideo()
  const removed = editor.remove(videoId)
  expect(await editor.submit()).toEqual({ is: 'submitted' })
  await removed
  expect(await listJobs(ownerId)).toMatchObject([{ files: [], form: { kind: 'none', content: '朝の海' } }])
  editor.close()
})

test('a draft that was evicted under the editor is submitted as it is shown', async () => {
  const { draft } = await draftWith(newId(), 0)
  const editor = new DraftEditor(draft)
  await editor.reload()
  await evict('drafts')
  const shown = editor.get().draft
  expect(await editor.submit()).toEqual({ is: 'submitted' })
  expect(await listJobs(draft.ownerId)).toMatchObject([{ id: draft.id, form: { content: shown.content } }])
  editor.close()
})

test('a draft that another tab discarded stays on screen with a notice, and can be submitted', async () => {
  const { draft } = await draftWith(newId(), 0)
  const editor = new DraftEditor(draft)
  await editor.reload()
  await discardDraft(draft.id, draft.ownerId)
  expect(editor.get()).toMatchObject({ discarded: true, draft: { id: draft.id, content: '朝の海' } })
  expect(await editor.submit()).toEqual({ is: 'submitted' })
  expect(await listJobs(draft.ownerId)).toMatchObject([{ id: draft.id, form: { content: '朝の海' } }])
  editor.close()
})

test('a draft whose files were evicted is not submitted, and remains on screen with its text', async () => {
  const { editor, videoId, ownerId } = await openWithVideo()
  await evict('media', 'chunks')
  const shown = editor.get().draft
  const end = await editor.submit()
  expect(end).toMatchObject({ is: 'problems', problems: { media: 'missing' } })
  expect(editor.get().draft).toMatchObject({ id: shown.id, content: '朝の海', mediaIds: [videoId] })
  expect(await listJobs(ownerId)).toEqual([])
  editor.close()
})

test('a draft that a full device does not submit remains on screen, with the reason', async () => {
  const { draft } = await draftWith(newId(), 0)
  const editor = new DraftEditor(draft)
  await editor.reload()
  device.isFull = true
  expect(await editor.submit()).toEqual({ is: 'unsent', why: 'full' })
  device.isFull = false
  expect(editor.get().draft).toMatchObject({ id: draft.id, content: '朝の海' })
  expect(await listJobs(draft.ownerId)).toEqual([])
  editor.close()
})
