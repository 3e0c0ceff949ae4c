// The job that indexes posts, people and messages without an entry of the present folding.
import type { Deps } from '#server/deps.ts'
import { type IndexStep, listUnindexedPeople, listUnindexedPosts } from '#server/store/search/search-index.ts'
import { reindexMessage } from '#server/services/search/message-index.ts'
import type { Db } from '#server/store/database.ts'
import { listUnindexedMessages } from '#server/store/messages/message-index.ts'
import { reindexPerson, reindexPost } from '#server/services/search/search-index.ts'

/** Rows per transaction, which locks only them, for a fraction of a second. */
const BATCH_SIZE = 200

/** Rows written while this runs are indexed by their own transactions. */
export async function indexMissing(deps: Deps): Promise<void> {
  await indexAll(deps, listUnindexedPosts, reindexPost)
  await indexAll(deps, listUnindexedPeople, reindexPerson)
  await indexAll(deps, listUnindexedMessages, reindexMessage)
}

/** Goes through the rows in the order of their ids, so that none is read twice. */
async function indexAll(
  { transaction }: Pick<Deps, 'transaction'>,
  list: (tx: Db, step: IndexStep) => Promise<string[]>,
  reindex: (tx: Db, id: string) => Promise<void>,
): Promise<void> {
  let after: string | null | undefined = null
  while (after !== undefined) {
    const step: IndexStep = { after, limit: BATCH_SIZE }
    after = await transaction(async ({ tx }) => {
      const ids = await list(tx, step)
      for (const id of ids) await reindex(tx, id)
      return ids.at(-1)
    })
  }
}
