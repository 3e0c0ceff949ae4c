// The editor stores its own changes of a draft before it submits the draft.
import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { Draft } from '#device/database/schema.ts'
import { changeDraft, readDraft } from '#device/drafts/drafts.ts'
import { addMedia } from '#device/files/media.ts'
import { listJobs } from '#device/jobs/jobs.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { draftWith, NOW } from '#device/testing/preuploads.ts'
import { DraftEditor } from './draft-editor.ts'

vi.mock('#src/sw-bridge.ts', async () => {
  const { submitDraft } = await import('#device/jobs/jobs.ts')
  return { submit: (shown: Draft) => submitDraft(shown, NOW) }
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
