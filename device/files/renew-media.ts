// Gives a draft's files new ids, so that they are uploaded again.
import { newId } from '#contract/ids.ts'
import { emitChange } from '#device/database/changes.ts'
import { chunkRange, eraseMedia } from './chunks.ts'
import { transact, type Tx } from '#device/database/database.ts'
import { putDraftIn } from '#device/drafts/drafts.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'

/**
 * Moves the rows and chunks of a draft's stored files to new ids, in one transaction. Changes nothing while the draft is
 * a job. An upload has the id of its file (specification section 7), and one that a post has cannot be in another.
 */
export async function renewMedia(draftId: string): Promise<void> {
  const stores = ['drafts', 'jobs', 'early', 'media', 'chunks'] as const
  const renewed = await transact([...stores], 'readwrite', async (tx) => {
    const draft = parseRow('drafts', await tx.objectStore('drafts').get(draftId))
    if (!draft || (await tx.objectStore('jobs').getKey(draftId))) return false
    const ids = new Map<string, string>()
    for (const row of parseRows('media', await tx.objectStore('media').index('draft').getAll(draftId))) {
      // The page that holds a picked file finds it by its id.
      if (row.bytes.is !== 'stored') continue
      const id = newId()
      ids.set(row.id, id)
      await tx.objectStore('media').put({ ...row, id })
      await moveChunks(tx, row.id, id)
    }
    await eraseMedia(tx, [...ids.keys()])
    // Its preupload has the old ids.
    await tx.objectStore('early').delete(draftId)
    const renew = <T extends string | null>(id: T) => (ids.get(id ?? '') ?? id) as T
    const { mediaIds, thumbnailId, frameId } = draft
    const next = { mediaIds: mediaIds.map(renew), thumbnailId: renew(thumbnailId), frameId: renew(frameId) }
    await putDraftIn(tx, draft, { ...draft, ...next }, draft.updatedAt)
    return ids.size > 0
  })
  if (renewed) emitChange({ store: 'drafts', id: draftId })
}

async function moveChunks(tx: Tx, from: string, to: string): Promise<void> {
  for (const key of await tx.objectStore('chunks').getAllKeys(chunkRange(from))) {
    const chunk = await tx.objectStore('chunks').get(key)
    if (chunk) await tx.objectStore('chunks').put({ ...chunk, mediaId: to })
  }
}
