// Preuploads: files of a draft are sent while its post is still being written.
import { emitChange } from '#device/database/changes.ts'
import { transact, type Tx } from '#device/database/database.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'
import { uploadOf, type JobFile } from './file-row.ts'
import type { Preupload } from './job-rows.ts'
import { noFailures, unpaused, withFiles, withoutDraft, withoutFile } from './new-files.ts'

/**
 * Queues the draft's files, in one transaction; files that are queued already change nothing.
 * Only for drafts of the resumable protocol: the other one adds the post first.
 */
export async function beginPreupload(draftId: string, ownerId: string, now: number): Promise<void> {
  const begun = await transact(['drafts', 'media', 'jobs', 'receipts', 'early'], 'readwrite', async (tx) => {
    if (await tx.objectStore('jobs').getKey(draftId)) return false
    if (await tx.objectStore('receipts').getKey(draftId)) return false
    const draft = parseRow('drafts', await tx.objectStore('drafts').get(draftId))
    if (draft?.ownerId !== ownerId || draft.protocol !== 'tus') return false
    const rows = parseRows('media', await tx.objectStore('media').index('draft').getAll(draftId))
    // In the order of the post: ids made within one millisecond are not ordered.
    const named = draft.mediaIds.flatMap((id) => rows.find((row) => row.id === id) ?? [])
    const picked = named.filter((row) => row.conversion.is === 'ready')
    const stored = parseRow('early', await tx.objectStore('early').get(draftId))
    const before = stored ?? emptyPreupload(draftId, ownerId, now)
    const next = resumed(withFiles(before, picked))
    if (picked.length === 0 || next === before) return false
    await tx.objectStore('early').put(next)
    return true
  })
  if (begun) emitChange({ store: 'early', id: draftId })
}

function emptyPreupload(id: string, ownerId: string, now: number): Preupload {
  return { kind: 'preupload', id, ownerId, files: [], stage: { is: 'open' }, ...noFailures, createdAt: now }
}

/** Pauses the unsent files until the draft is submitted; bytes that the server has stay there. */
export async function pausePreupload(draftId: string): Promise<void> {
  const paused = await transact(['early'], 'readwrite', (tx) => changeIn(tx, draftId, withPausedFiles))
  if (paused) emitChange({ store: 'early', id: draftId })
}

function withPausedFiles(job: Preupload): Preupload {
  const isUnsent = ({ state }: JobFile) => state.is === 'waiting' || state.is === 'sending'
  if (!job.files.some(isUnsent)) return job
  const paused = (it: JobFile): JobFile =>
    isUnsent(it) ? { ...it, state: { is: 'paused', upload: uploadOf(it) } } : it
  return { ...job, files: job.files.map(paused) }
}

function resumed(job: Preupload): Preupload {
  if (!job.files.some(({ state }) => state.is === 'paused')) return job
  return { ...job, files: job.files.map((it) => (it.state.is === 'paused' ? unpaused(it) : it)) }
}

/** Discards a file that leaves its draft, inside the transaction that removes it. The caller emits the change. */
export function dropFromPreuploadIn(tx: Tx, draftId: string, mediaId: string): Promise<boolean> {
  return changeIn(tx, draftId, (job) =>
    job.files.some((it) => it.id === mediaId) ? withoutFile(job, mediaId) : job,
  )
}

/** Discards all files of a draft, inside the transaction that deletes it. The caller emits the change. */
export function discardPreuploadIn(tx: Tx, draftId: string): Promise<boolean> {
  return changeIn(tx, draftId, withoutDraft)
}

async function changeIn(tx: Tx, draftId: string, change: (job: Preupload) => Preupload): Promise<boolean> {
  const before = parseRow('early', await tx.objectStore('early').get(draftId))
  if (!before) return false
  const next = change(before)
  if (next === before) return false
  await tx.objectStore('early').put(next)
  return true
}

/** Reads the preupload of a draft; `undefined` when no file was queued. */
export function readPreupload(draftId: string): Promise<Preupload | undefined> {
  return transact(['early'], 'readonly', async (tx) =>
    parseRow('early', await tx.objectStore('early').get(draftId)),
  )
}
