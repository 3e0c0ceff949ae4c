// The list of deliveries always contains a draft that is being submitted.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { closeDatabase } from '#device/database/database.ts'
import { listDeliveries } from './deliveries.ts'
import { changeDraft, emptyDraft } from '#device/drafts/drafts.ts'
import { beginPreupload } from './preupload.ts'
import { submitDraft } from './jobs.ts'
import { addMedia } from '#device/files/media.ts'
import { pictureRow } from '#device/testing/picture-row.ts'

const AOI = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')

afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

test('a draft submitted while the list is read is listed once, as a post', async () => {
  const base = emptyDraft(AOI, NOW)
  await addMedia(base, pictureRow(base, { size: 10, bytes: { is: 'stored', digest: '' } }), NOW)
  await beginPreupload(base.id, AOI, NOW)
  const shown = await changeDraft(base, (it) => ({ ...it, content: '朝の海' }), NOW)
  if (!shown) throw new Error('the draft was not stored')
  expect((await listDeliveries(AOI)).map((it) => [it.id, it.kind])).toEqual([[base.id, 'preupload']])
  // The submission's transaction is queued between those of the list.
  const listed = listDeliveries(AOI)
  expect(await submitDraft(shown, NOW)).toMatchObject({ is: 'submitted' })
  expect((await listed).map((it) => [it.id, it.kind])).toEqual([[base.id, 'post']])
})

test('preuploads are listed after posts, oldest first, and only those of the person', async () => {
  const ids: string[] = []
  for (const at of [NOW + 2, NOW + 1, NOW + 3]) {
    const draft = emptyDraft(AOI, at)
    await addMedia(draft, pictureRow(draft, { bytes: { is: 'stored', digest: '' } }), at)
    await beginPreupload(draft.id, AOI, at)
    ids.push(draft.id)
  }
  const [second = '', first = '', third = ''] = ids
  expect((await listDeliveries(AOI)).map((it) => it.id)).toEqual([first, second, third])
  const shown = await changeDraft(emptyDraft(AOI, NOW), (it) => ({ ...it, content: '夜の海' }), NOW + 9)
  if (shown) await submitDraft(shown, NOW + 9)
  expect((await listDeliveries(AOI)).map((it) => it.id)).toEqual([shown?.id, first, second, third])
  expect(await listDeliveries(newId())).toEqual([])
})
