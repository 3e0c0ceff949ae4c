// The job that makes findable what was there before search was.
import type { Deps } from '#server/deps.ts'
import { listUnindexedPeople, listUnindexedPosts } from '#server/store/search/search-index.ts'
import { reindexPerson, reindexPost } from '#server/services/search/search-index.ts'

/** As many as one transaction takes: a fraction of a second, in which others wait for these rows alone. */
const AT_ONCE = 200

/** Whatever is written while this runs is written by its own transaction, and found by this no more. */
export async function indexRest({ transaction }: Deps): Promise<void> {
  const posts = () =>
    transaction(async ({ tx }) => {
      const ids = await listUnindexedPosts(tx, AT_ONCE)
      for (const id of ids) await reindexPost(tx, id)
      return ids.length
    })
  const people = () =>
    transaction(async ({ tx }) => {
      const ids = await listUnindexedPeople(tx, AT_ONCE)
      for (const id of ids) await reindexPerson(tx, id)
      return ids.length
    })
  while ((await posts()) > 0);
  while ((await people()) > 0);
}
