// Updates the search index in the transaction of the change.
import { searchable, searchablePerson } from '#server/rules/search-grams.ts'
import type { Db } from '#server/store/database.ts'
import { findUser } from '#server/store/people/people.ts'
import { findPost } from '#server/store/posts/posts.ts'
import { indexPerson, indexPost, unindexPerson, unindexPost } from '#server/store/search/search-index.ts'

/** Lets search know a post as it is now: its words if it is released, nothing if it is not or was deleted. */
export async function reindexPost(tx: Db, postId: string): Promise<void> {
  const row = await findPost(tx, postId)
  if (!row?.releasedAt || row.deletedAt) return unindexPost(tx, postId)
  await indexPost(tx, postId, row.releasedAt, searchable(row.content))
}

/** Lets search know a person by their name, handle and biography as they are now. */
export async function reindexPerson(tx: Db, userId: string): Promise<void> {
  const user = await findUser(tx, userId)
  if (!user || user.deletedAt) return unindexPerson(tx, userId)
  await indexPerson(tx, userId, searchablePerson(user))
}
