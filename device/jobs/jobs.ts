// Jobs: submitted drafts that are being sent. A job has the id of its draft.
import { declaredVersion } from '#device/drafts/declared-film.ts'
import { newId } from '#contract/ids.ts'
import { emitChange } from '#device/database/changes.ts'
import { eraseMedia } from '#device/files/chunks.ts'
import { transact, type Tx } from '#device/database/database.ts'
import { samePost } from '#device/drafts/draft-merge.ts'
import { isEmpty, putDraftIn, readDraftIn } from '#device/drafts/drafts.ts'
import { submittedFiles } from './new-files.ts'
import { eraseIdentityIn } from './identity.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'
import type { FileJob, Job, PostJob, Preupload } from './job-rows.ts'
import type { Draft, Media, Receipt } from '#device/database/schema.ts'

export type Submission =
  | { is: 'submitted'; job: PostJob }
  /** It was submitted before: by a second click or another tab, or its post is released. */
  | { is: 'already' }
  | { is: 'empty' }
  /** It has unconverted photos: a picked file is never sent in place of the converted one. */
  | { is: 'unconverted' }
  /** The device has a newer version of it than the screen shows. */
  | { is: 'changed'; stored: Draft }
  /** Files of it are not on this device. */
  | { is: 'missing'; mediaIds: readonly string[] }
  /** Another version of the app wrote it, or it belongs to another person. */
  | { is: 'unreadable' }

/**
 * Stores a draft as it is shown and turns it into a job, in one transaction; a second submission changes nothing.
 * The draft and its bytes stay until the release is acknowledged.
 * @param shown what the screen shows; its revision is that of the stored version it was made from
 * @param now milliseconds since 1970
 * @throws DOMException `QuotaExceededError` when the device has no room; then nothing was written
 */
export async function submitDraft(shown: Draft, now: number): Promise<Submission> {
  const draftId = shown.id
  const end = await transact(
    ['drafts', 'media', 'jobs', 'early', 'receipts'],
    'readwrite',
    async (tx): Promise<Submission> => {
      const found = await readDraftIn(tx, shown)
      if (found.is === 'submitted') return { is: 'already' }
      if (found.is === 'unreadable') return found
      if (found.is === 'stored' && found.draft.revision !== shown.revision && !samePost(found.draft, shown))
        return { is: 'changed', stored: found.draft }
      if (isEmpty(shown)) return { is: 'empty' }
      const rows = parseRows('media', await tx.objectStore('media').index('draft').getAll(draftId))
      const mediaIds = idsOf(shown).filter((id) => !rows.some((row) => row.id === id))
      if (mediaIds.length > 0) return { is: 'missing', mediaIds }
      const named = rows.filter((row) => idsOf(shown).includes(row.id))
      if (named.some((row) => row.conversion.is !== 'ready')) return { is: 'unconverted' }
      const before = found.is === 'stored' ? found.draft : shown
      const draft = await putDraftIn(tx, before, { ...shown, submitWhenReady: false }, now)
      const preupload = parseRow('early', await tx.objectStore('early').get(draftId))
      const job = jobOf(draft, rows, preupload, now)
      await tx.objectStore('early').delete(draftId)
      await tx.objectStore('jobs').put(job)
      return { is: 'submitted', job }
    },
  )
  if (end.is === 'submitted') {
    emitChange({ store: 'jobs', id: draftId })
    emitChange({ store: 'drafts', id: draftId })
  }
  return end
}

/** The ids of a post's files. */
const idsOf = ({ mediaIds, thumbnailId, frameId }: Draft): string[] =>
  [...mediaIds, thumbnailId, frameId].filter((id) => id !== null)

function jobOf(draft: Draft, rows: readonly Media[], preupload: Preupload | undefined, now: number): PostJob {
  const media = draft.mediaIds.flatMap((id) => rows.filter((row) => row.id === id))
  return {
    kind: 'post',
    id: draft.id,
    ownerId: draft.ownerId,
    key: newId(),
    protocol: draft.protocol,
    form: {
      content: draft.content,
      // A post for everyone shows its whole text: what was typed for another audience stays in the draft alone.
      title: draft.type === 1 ? '' : draft.title.trim(),
      introduction: draft.type === 1 ? '' : draft.introduction.trim(),
      type: draft.type,
      planIds: draft.planIds,
      price: draft.price,
      isAgeLimited: draft.isAgeLimited,
      commentsClosed: draft.commentsClosed,
      filmDeclaration: declaredVersion(draft, media[0]),
      kind: media.length === 0 ? 'none' : media[0]?.kind === 'video' ? 'video' : 'images',
      duration: media[0]?.duration ?? null,
      thumbnailId: draft.thumbnailId,
      frameId: draft.frameId,
    },
    ...submittedFiles(preupload, media, draft.protocol),
    stage: { is: 'open' },
    readds: 0,
    createdAt: now,
  }
}

/** Lists this person's jobs, oldest first; rows of another version of the app are left out. */
export async function listJobs(ownerId: string): Promise<Job[]> {
  const rows = await transact(['jobs'], 'readonly', async (tx) =>
    parseRows('jobs', await tx.objectStore('jobs').index('owner').getAll(ownerId)),
  )
  // An index gives rows in the order of their ids, and sorting is stable.
  return rows.toSorted((a, b) => a.createdAt - b.createdAt)
}

/**
 * Changes a job with files from what is stored, in one transaction; `undefined` when it was deleted.
 * @param change returns the same object where it changes nothing
 * @param durability `relaxed` for what a request to the server can find out again
 */
export async function changeJob(
  jobId: string,
  change: (job: FileJob) => FileJob,
  durability: 'strict' | 'relaxed' = 'strict',
): Promise<FileJob | undefined> {
  let changed = false
  const job = await transact(
    ['jobs', 'early'],
    'readwrite',
    async (tx) => {
      const rawJob = await tx.objectStore('jobs').get(jobId)
      const raw = rawJob ?? (await tx.objectStore('early').get(jobId))
      const stored = rawJob ? parseRow('jobs', rawJob) : parseRow('early', raw)
      if (!stored) return undefined
      const next = change(stored)
      if (next === stored) return stored
      changed = true
      // Fields of another version of the app stay in the row.
      if (next.kind === 'preupload') await tx.objectStore('early').put({ ...raw, ...next })
      else await tx.objectStore('jobs').put({ ...raw, ...next })
      return next
    },
    durability,
  )
  if (changed && job) emitChange({ store: job.kind === 'preupload' ? 'early' : 'jobs', id: jobId })
  return job
}

/**
 * Deletes an acknowledged job with its draft, media and chunks, and writes its receipt, in one transaction. A message
 * leaves none: its draft was deleted at its submission, and the conversation shows it.
 * @param postId the server's id of the post or check
 */
export async function finishJob(job: Job, postId: string, releasedAt: number): Promise<void> {
  const stores = ['jobs', 'drafts', 'identity', 'media', 'chunks', 'receipts'] as const
  await transact([...stores], 'readwrite', async (tx) => {
    await eraseMedia(tx, await tx.objectStore('media').index('draft').getAllKeys(job.id))
    if (job.kind === 'post') await tx.objectStore('drafts').delete(job.id)
    else if (job.kind === 'identity') await eraseIdentityIn(tx, job)
    await tx.objectStore('jobs').delete(job.id)
    const { kind, id, ownerId } = job
    if (kind === 'message') return
    await tx.objectStore('receipts').put({ kind, id, ownerId, postId, releasedAt, told: false })
  })
  if (job.kind === 'identity') emitChange({ store: 'identity', id: job.ownerId })
  emitChange({ store: 'jobs', id: job.id })
  if (job.kind !== 'message') emitChange({ store: 'receipts', id: job.id })
}

/**
 * Removes one file from a post and its draft, in one transaction. The last file stays in the draft: then `change` cancels
 * the job.
 * @param change removes the file from the job; returns the same object where that is not possible
 */
export async function dropFile(
  jobId: string,
  mediaId: string,
  change: (job: PostJob) => PostJob,
): Promise<void> {
  const dropped = await transact(['jobs', 'drafts', 'media', 'chunks'], 'readwrite', async (tx) => {
    const job = parseRow('jobs', await tx.objectStore('jobs').get(jobId))
    const draft = parseRow('drafts', await tx.objectStore('drafts').get(jobId))
    if (job?.kind !== 'post' || !draft) return false
    const next = change(job)
    if (next === job) return false
    await tx.objectStore('jobs').put(next)
    if (next.stage.is === 'cancelled') return true
    const mediaIds = draft.mediaIds.filter((it) => it !== mediaId)
    await putDraftIn(tx, draft, { ...draft, mediaIds }, draft.updatedAt)
    await eraseMedia(tx, [mediaId])
    return true
  })
  if (dropped) emitChange({ store: 'jobs', id: jobId })
}

/**
 * Deletes a job that was cancelled or failed, or the preupload of a discarded draft. The draft of the job then comes back
 * to the editor; a message has none, and its files are deleted.
 */
export async function dropJob(jobId: string): Promise<void> {
  const dropped = await transact(['jobs', 'early', 'media', 'chunks'], 'readwrite', async (tx) => {
    const preupload = parseRow('early', await tx.objectStore('early').get(jobId))
    if (preupload?.stage.is === 'cancelled') await tx.objectStore('early').delete(jobId)
    const job = parseRow('jobs', await tx.objectStore('jobs').get(jobId))
    if (job?.stage.is !== 'cancelled' && job?.stage.is !== 'failed') return false
    await tx.objectStore('jobs').delete(jobId)
    if (job.kind === 'message')
      await eraseMedia(tx, await tx.objectStore('media').index('draft').getAllKeys(jobId))
    return true
  })
  if (dropped) {
    emitChange({ store: 'jobs', id: jobId })
    emitChange({ store: 'drafts', id: jobId })
    emitChange({ store: 'identity', id: jobId })
  }
}

/** Reads the receipt of a finished job; undefined for one that was cancelled or failed. */
export function findReceipt(id: string): Promise<Receipt | undefined> {
  return transact(['receipts'], 'readonly', async (tx) =>
    parseRow('receipts', await tx.objectStore('receipts').get(id)),
  )
}

/** Lists this person's receipts that no screen has shown yet. */
export async function unshownReceipts(ownerId: string): Promise<Receipt[]> {
  const rows = await transact(['receipts'], 'readonly', async (tx) =>
    parseRows('receipts', await tx.objectStore('receipts').index('owner').getAll(ownerId)),
  )
  return rows.filter((receipt) => !receipt.told)
}

/** How many shown receipts of one person stay. A number and no age, since the device's clock may be wrong. */
const MAX_RECEIPTS = 500

/**
 * Marks a receipt as shown. Returns true to one caller only, so that one of several tabs shows it.
 * Also deletes the person's shown receipts but for the last 500.
 */
export function claimReceipt(id: string): Promise<boolean> {
  return transact(['receipts'], 'readwrite', async (tx) => {
    const receipt = parseRow('receipts', await tx.objectStore('receipts').get(id))
    if (!receipt || receipt.told) return false
    await tx.objectStore('receipts').put({ ...receipt, told: true })
    await sweepReceipts(tx, receipt.ownerId)
    return true
  })
}

/** Marks the failure of a job as reported; true for only one caller over all tabs and starts. */
export function claimFailure(jobId: string): Promise<boolean> {
  return transact(['jobs'], 'readwrite', async (tx) => {
    const raw = await tx.objectStore('jobs').get(jobId)
    const job = parseRow('jobs', raw)
    if (job?.stage.is !== 'failed' || job.stage.told) return false
    await tx.objectStore('jobs').put({ ...raw, ...job, stage: { ...job.stage, told: true } } as Job)
    return true
  })
}

async function sweepReceipts(tx: Tx, ownerId: string): Promise<void> {
  const rows = parseRows('receipts', await tx.objectStore('receipts').index('owner').getAll(ownerId))
  const shown = rows.filter((row) => row.told).toSorted((a, b) => b.releasedAt - a.releasedAt)
  for (const row of shown.slice(MAX_RECEIPTS)) await tx.objectStore('receipts').delete(row.id)
}
