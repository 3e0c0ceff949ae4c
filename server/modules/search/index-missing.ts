// The job that indexes posts, people and messages without an index entry.
import type { Deps } from '#server/deps.ts'
import { listUnindexedPeople, listUnindexedPosts } from '#server/store/search/search-index.ts'
import { reindexMessage } from '#server/services/search/message-index.ts'
import { listUnindexedMessages } from '#server/store/messages/message-index.ts'
import { reindexPerson, reindexPost } from '#server/services/search/search-index.ts'

/** Rows per transaction, which locks only them, for a fraction of a second. */
const BATCH_SIZE = 200

/** Rows written while this runs are indexed by their own transactions. */
export async function indexMissing({ transaction }: Deps): Promise<void> {
  const posts = () =>
    transaction(async ({ tx }) => {
      const ids = await listUnindexedPosts(tx, BATCH_SIZE)
      for (const id of ids) await reindexPost(tx, id)
      return ids.length
    })
  const people = () =>
    transaction(async ({ tx }) => {
      const ids = await listUnindexedPeople(tx, BATCH_SIZE)
      for (const id of ids) await reindexPerson(tx, id)
      return ids.length
    })
  const messages = () =>
    transaction(async ({ tx }) => {
      const ids = await listUnindexedMessages(tx, BATCH_SIZE)
      for (const id of ids) await reindexMessage(tx, id)
      return ids.length
    })
  while ((await posts()) > 0);
  while ((await people()) > 0);
  while ((await messages()) > 0);
}
