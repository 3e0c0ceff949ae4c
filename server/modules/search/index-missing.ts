// The job that indexes posts, people and messages without an entry of the present folding.
import type { Deps } from '#server/deps.ts'
import {
  listOutdatedMessages,
  listOutdatedPeople,
  listOutdatedPosts,
  listUnindexedPeople,
  listUnindexedPosts,
  lockRemaking,
  type ListOutdated,
  type OutdatedEntry,
} from '#server/store/search/search-index.ts'
import { reindexMessage } from '#server/services/search/message-index.ts'
import type { Db } from '#server/store/database.ts'
import { listUnindexedMessages } from '#server/store/messages/message-index.ts'
import { reindexPerson, reindexPost } from '#server/services/search/search-index.ts'

/** Rows per transaction, which locks only them, for a fraction of a second. */
const BATCH_SIZE = 200

type Reindex = (tx: Db, id: string) => Promise<void>

/**
 * Rows written while this runs are indexed by their own transactions. Servers that start together take turns, a batch each, so that none
 * is made twice and the work of one that ends is taken up at once.
 */
export async function indexMissing(deps: Deps): Promise<void> {
  await addMissing(deps, listUnindexedPosts, reindexPost)
  await addMissing(deps, listUnindexedPeople, reindexPerson)
  await addMissing(deps, listUnindexedMessages, reindexMessage)
  await remakeOutdated(deps, listOutdatedPeople, reindexPerson)
  await remakeOutdated(deps, listOutdatedPosts, reindexPost)
  await remakeOutdated(deps, listOutdatedMessages, reindexMessage)
}

async function addMissing(
  { transaction }: Pick<Deps, 'transaction'>,
  list: (tx: Db, limit: number) => Promise<string[]>,
  reindex: Reindex,
): Promise<void> {
  let indexed: number
  do {
    indexed = await transaction(async ({ tx }) => {
      await lockRemaking(tx)
      const ids = await list(tx, BATCH_SIZE)
      for (const id of ids) await reindex(tx, id)
      return ids.length
    })
  } while (indexed > 0)
}

/** Replaces each entry in one transaction, so that it is found before and after, and goes on behind it, so that none is read twice. */
async function remakeOutdated(
  { transaction }: Pick<Deps, 'transaction'>,
  list: ListOutdated,
  reindex: Reindex,
): Promise<void> {
  let after: OutdatedEntry | undefined
  do {
    const before = after
    after = await transaction(async ({ tx }) => {
      await lockRemaking(tx)
      const entries = await list(tx, before, BATCH_SIZE)
      for (const id of new Set(entries.map((it) => it.id))) await reindex(tx, id)
      return entries.at(-1)
    })
  } while (after)
}
