// Counts rows that another version of the app wrote and this one cannot read.
import { transact } from './database.ts'
import { believe } from './rows.ts'
import type { RowStore } from './stores.ts'

/** How many of a person's rows this version leaves alone, by kind. */
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
      return raws.filter((raw) => believe(store, raw) === undefined)
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
