// Rows that this version cannot read: of another version, or corrupt.
import { emitChange } from './changes.ts'
import { eraseMedia } from '#device/files/chunks.ts'
import { transact } from './database.ts'
import { parseRow } from './rows.ts'
import type { RowStore } from './stores.ts'

/** How many of a person's rows this version cannot read, by kind. */
export interface Unreadable {
  posts: number
  drafts: number
  /** Likes, follows, comments. */
  acts: number
}

type Counted = Extract<RowStore, 'jobs' | 'drafts' | 'acts'>

/** Counts this person's rows that this version of the app cannot read. A submitted post counts once. */
export function countUnreadable(ownerId: string): Promise<Unreadable> {
  return transact(['jobs', 'drafts', 'acts'], 'readonly', async (tx) => {
    const unreadable = async (store: Counted): Promise<unknown[]> => {
      const raws: unknown[] = await tx.objectStore(store).index('owner').getAll(ownerId)
      return raws.filter((raw) => parseRow(store, raw) === undefined)
    }
    const jobIds = new Set<unknown>(await tx.objectStore('jobs').index('owner').getAllKeys(ownerId))
    const drafts = (await unreadable('drafts')) as { id: unknown }[]
    return {
      posts: (await unreadable('jobs')).length,
      drafts: drafts.filter(({ id }) => !jobIds.has(id)).length,
      acts: (await unreadable('acts')).length,
    }
  })
}

/** One row that this version cannot read, with its text. */
export interface UnreadableRow {
  store: Counted
  id: string
  /** '' where no text is found. */
  text: string
}

/** Lists this person's rows that this version of the app cannot read. */
export function listUnreadable(ownerId: string): Promise<UnreadableRow[]> {
  return transact(['jobs', 'drafts', 'acts'], 'readonly', async (tx) => {
    const found: UnreadableRow[] = []
    for (const store of ['jobs', 'drafts', 'acts'] as const) {
      const index = tx.objectStore(store).index('owner')
      const raws: unknown[] = await index.getAll(ownerId)
      const ids = await index.getAllKeys(ownerId)
      for (const [i, raw] of raws.entries())
        if (parseRow(store, raw) === undefined) found.push({ store, id: ids[i] ?? '', text: textIn(raw) })
    }
    return found
  })
}

/** Where rows of each version store their text. */
const textPaths = [
  ['content'],
  ['form', 'content'],
  ['form', 'mutation', 'body', 'content'],
  ['form', 'act', 'body', 'content'],
] as const

function textIn(raw: unknown): string {
  for (const path of textPaths) {
    let at = raw
    for (const key of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
    if (typeof at === 'string' && at !== '') return at
  }
  return ''
}

/**
 * Deletes a row that this version cannot read, in one transaction; one that it can read stays. Its files are deleted too
 * where neither a draft nor a job names them any more.
 */
export async function discardUnreadable(ownerId: string, { store, id }: UnreadableRow): Promise<void> {
  const deleted = await transact(['jobs', 'drafts', 'acts', 'media', 'chunks'], 'readwrite', async (tx) => {
    const raw: unknown = await tx.objectStore(store).get(id)
    const isOwn = typeof raw === 'object' && raw !== null && Reflect.get(raw, 'ownerId') === ownerId
    if (!isOwn || parseRow(store, raw) !== undefined) return false
    await tx.objectStore(store).delete(id)
    if (store === 'acts') return true
    const others = [await tx.objectStore('jobs').getKey(id), await tx.objectStore('drafts').getKey(id)]
    if (others.every((key) => key === undefined))
      await eraseMedia(tx, await tx.objectStore('media').index('draft').getAllKeys(id))
    return true
  })
  if (deleted) emitChange({ store, id })
}
