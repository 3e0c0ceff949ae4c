// Stores what a person writes in a draft, without overwriting a newer version of it.
import { newId } from '#contract/ids.ts'
import { emitChange } from '#device/database/changes.ts'
import { transact } from '#device/database/database.ts'
import { formOf, mergeForm, type DraftForm, writtenText } from './draft-merge.ts'
import { putDraftIn, readDraftIn } from './drafts.ts'
import type { Draft } from '#device/database/schema.ts'

export type EditEnd =
  | { is: 'stored'; draft: Draft }
  /** Another tab stored other values in the same fields: nothing was written. */
  | { is: 'conflict'; stored: Draft }
  /** The draft is a job, or was published: nothing was written. */
  | { is: 'submitted' }
  /** Another version of the app wrote the row, or another person owns it: nothing was written. */
  | { is: 'unreadable' }

/**
 * Stores the fields of the form that differ between `base` and `shown`, in one transaction.
 * A draft that is not on the device (never stored, discarded, or evicted) is stored whole, as `shown`.
 * The row survives the end of the browser's process when this resolves, and a power cut after `syncEdits`.
 * @param base the stored version that `shown` was made from
 * @param shown the version on the screen
 * @param now milliseconds since 1970
 * @throws DOMException `QuotaExceededError` when the device has no room; then nothing was written
 */
export async function editDraft(base: DraftForm, shown: Draft, now: number): Promise<EditEnd> {
  let changed = false
  // Relaxed: a strict write on a busy disk takes longer than typing a word. `syncEdits` follows.
  const end = await transact(
    ['drafts', 'jobs', 'receipts'],
    'readwrite',
    async (tx): Promise<EditEnd> => {
      const found = await readDraftIn(tx, shown)
      if (found.is === 'submitted' || found.is === 'unreadable') return found
      const stored = found.is === 'none' ? shown : found.draft
      const merged = mergeForm(base, shown, stored)
      if (!merged) return { is: 'conflict', stored }
      changed = found.is === 'none' || JSON.stringify(merged) !== JSON.stringify(stored)
      return { is: 'stored', draft: changed ? await putDraftIn(tx, stored, merged, now) : stored }
    },
    'relaxed',
  )
  if (changed) emitChange({ store: 'drafts', id: shown.id })
  return end
}

/**
 * Writes earlier edits to the disk. Without it they survive the end of the browser's process, but no power cut. A strict
 * transaction syncs the log of all transactions before it.
 */
export async function syncEdits(now: number): Promise<void> {
  await transact(['settings'], 'readwrite', (tx) => tx.objectStore('settings').put(now, 'drafts.synced'))
}

/** Makes a new draft with the form of another one; the files stay with the other one. */
export function copyOf(draft: Draft, now: number): Draft {
  const files = { mediaIds: [], thumbnailId: null, frameId: null, submitWhenReady: false }
  return { ...draft, ...files, id: newId(), revision: 0, createdAt: now, updatedAt: now }
}

/**
 * Replaces the stored form by that of `shown`, and stores the replaced one as the draft `separateId`, in one transaction.
 * @param seen the stored version the person decided about; `conflict` when it has changed since
 */
export async function replaceForm(
  seen: Draft,
  shown: Draft,
  separateId: string,
  now: number,
): Promise<EditEnd> {
  const end = await transact(['drafts', 'jobs', 'receipts'], 'readwrite', async (tx): Promise<EditEnd> => {
    const found = await readDraftIn(tx, shown)
    if (found.is === 'submitted' || found.is === 'unreadable') return found
    const stored = found.is === 'none' ? shown : found.draft
    if (found.is === 'stored' && stored.revision !== seen.revision) return { is: 'conflict', stored }
    const separate = { ...copyOf(seen, now), id: separateId }
    const before = await readDraftIn(tx, separate)
    if (before.is === 'stored') await putDraftIn(tx, before.draft, { ...before.draft, ...formOf(seen) }, now)
    else if (before.is === 'none' && writtenText(seen) !== '') await putDraftIn(tx, separate, separate, now)
    return { is: 'stored', draft: await putDraftIn(tx, stored, { ...stored, ...formOf(shown) }, now) }
  })
  if (end.is === 'stored') for (const id of [shown.id, separateId]) emitChange({ store: 'drafts', id })
  return end
}
