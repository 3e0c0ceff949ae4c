// Drafts: posts in the editor, stored at every change and discarded only by the person.
import { newId } from '#contract/ids.ts'
import { emitChange } from '#device/database/changes.ts'
import { writtenText } from './draft-merge.ts'
import { eraseMedia } from '#device/files/chunks.ts'
import { transact, type Tx } from '#device/database/database.ts'
import { discardPreuploadIn } from '#device/jobs/preupload.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'
import type { Protocol } from '#device/jobs/job-rows.ts'
import type { Draft } from '#device/database/schema.ts'

/** An empty draft of this person; not stored until the first `changeDraft`. */
export function emptyDraft(ownerId: string, now: number, protocol: Protocol = 'tus'): Draft {
  return {
    id: newId(),
    ownerId,
    content: '',
    title: '',
    introduction: '',
    type: 1,
    planIds: [],
    price: '',
    isAgeLimited: false,
    commentsClosed: false,
    declaredFilm: null,
    protocol,
    keepSize: false,
    submitWhenReady: false,
    mediaIds: [],
    thumbnailId: null,
    frameId: null,
    revision: 0,
    createdAt: now,
    updatedAt: now,
  }
}

/** Whether a draft has no text, no media and no thumbnail (specification section 5). */
export function isEmpty(draft: Pick<Draft, 'content' | 'mediaIds' | 'thumbnailId'>): boolean {
  return draft.content.trim() === '' && draft.mediaIds.length === 0 && draft.thumbnailId === null
}

/** Whether a person has neither written nor picked anything: unlike an empty draft, it has no title or introduction either. */
export const isBlank = (draft: Draft): boolean => isEmpty(draft) && writtenText(draft) === ''

/** Reads a draft of this person. */
export function readDraft(id: string, ownerId: string): Promise<Draft | undefined> {
  return transact(['drafts'], 'readonly', async (tx) => {
    const draft = parseRow('drafts', await tx.objectStore('drafts').get(id))
    return draft?.ownerId === ownerId ? draft : undefined
  })
}

/** What this device has of a draft's id, as it is at one moment. */
export const findDraft = (id: string, ownerId: string): Promise<Found> =>
  transact(['drafts', 'jobs', 'receipts'], 'readonly', (tx) => readDraftIn(tx, { id, ownerId }))

/** Whether no draft, job or receipt on this device has this id, of any person. */
export function isUnused(id: string): Promise<boolean> {
  return transact(['drafts', 'jobs', 'receipts'], 'readonly', async (tx) => {
    const found = await Promise.all(
      (['drafts', 'jobs', 'receipts'] as const).map((store) => tx.objectStore(store).getKey(id)),
    )
    return found.every((key) => key === undefined)
  })
}

/** Whether a draft became a job, also one that is released by now. */
export function isSubmitted(id: string): Promise<boolean> {
  return transact(['jobs', 'receipts'], 'readonly', async (tx) => {
    const found = await Promise.all(
      (['jobs', 'receipts'] as const).map((store) => tx.objectStore(store).getKey(id)),
    )
    return found.some((key) => key !== undefined)
  })
}

/** This person's drafts that are not being delivered, last changed first. */
export async function listDrafts(ownerId: string): Promise<Draft[]> {
  const rows = await transact(['drafts', 'jobs'], 'readonly', async (tx) => {
    const found = parseRows('drafts', await tx.objectStore('drafts').index('owner').getAll(ownerId))
    const jobs = new Set(await tx.objectStore('jobs').index('owner').getAllKeys(ownerId))
    return found.filter((draft) => !jobs.has(draft.id))
  })
  return rows.toSorted((a, b) => b.updatedAt - a.updatedAt)
}

/**
 * Changes a draft in one transaction, from the stored row and not from a tab's memory.
 * `base` is stored first when there is no such draft yet.
 * @returns `undefined` when the draft was submitted or belongs to another person; then nothing was changed
 */
export async function changeDraft(
  base: Draft,
  change: (draft: Draft) => Draft,
  now: number,
): Promise<Draft | undefined> {
  const changed = await transact(['drafts', 'jobs', 'receipts'], 'readwrite', (tx) =>
    changeDraftIn(tx, base, change, now),
  )
  if (changed) emitChange({ store: 'drafts', id: base.id })
  return changed
}

/** `changeDraft` inside a transaction over `drafts`, `jobs` and `receipts`; the caller emits the change. */
export async function changeDraftIn(
  tx: Tx,
  base: Draft,
  change: (draft: Draft) => Draft,
  now: number,
): Promise<Draft | undefined> {
  const found = await readDraftIn(tx, base)
  if (found.is === 'submitted' || found.is === 'unreadable') return undefined
  const stored = found.is === 'stored' ? found.draft : base
  return putDraftIn(tx, stored, change(stored), now)
}

export type Found =
  | { is: 'none' }
  | { is: 'stored'; draft: Draft }
  | { is: 'submitted' }
  /** Another version of the app wrote it, or it belongs to another person. */
  | { is: 'unreadable' }

/** Reads the state of a draft, inside a transaction over `drafts`, `jobs` and `receipts`. */
export async function readDraftIn(
  tx: Tx<IDBTransactionMode>,
  { id, ownerId }: Pick<Draft, 'id' | 'ownerId'>,
): Promise<Found> {
  if (await tx.objectStore('jobs').getKey(id)) return { is: 'submitted' }
  if (await tx.objectStore('receipts').getKey(id)) return { is: 'submitted' }
  const raw: unknown = await tx.objectStore('drafts').get(id)
  if (raw === undefined) return { is: 'none' }
  const draft = parseRow('drafts', raw)
  return draft?.ownerId === ownerId ? { is: 'stored', draft } : { is: 'unreadable' }
}

/**
 * Writes the next revision of a draft, inside a transaction over `drafts`. Fields of another version of the app stay in
 * the row.
 */
export async function putDraftIn(tx: Tx, before: Draft, next: Draft, now: number): Promise<Draft> {
  const raw = await tx.objectStore('drafts').get(before.id)
  const { id, ownerId, revision } = before
  const draft = { ...next, id, ownerId, revision: revision + 1, updatedAt: now }
  await tx.objectStore('drafts').put({ ...raw, ...draft })
  return draft
}

/** Discards a draft with its media and their bytes. Does nothing while it is being delivered. */
export async function discardDraft(id: string, ownerId: string): Promise<void> {
  let hadPreupload = false
  const deleted = await transact(['drafts', 'jobs', 'media', 'chunks', 'early'], 'readwrite', async (tx) => {
    const draft = parseRow('drafts', await tx.objectStore('drafts').get(id))
    if (draft?.ownerId !== ownerId || (await tx.objectStore('jobs').getKey(id))) return false
    await eraseMedia(tx, await tx.objectStore('media').index('draft').getAllKeys(id))
    await tx.objectStore('drafts').delete(id)
    hadPreupload = await discardPreuploadIn(tx, id)
    return true
  })
  if (deleted) emitChange({ store: 'drafts', id, discarded: true })
  if (hadPreupload) emitChange({ store: 'early', id })
}
