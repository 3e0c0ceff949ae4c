// Updates the search index in the transaction of the change.
import { allTextsOf } from '#server/rules/post-texts.ts'
import { searchable, searchablePerson } from '#server/rules/search-grams.ts'
import type { Db } from '#server/store/database.ts'
import { findUser } from '#server/store/people/people.ts'
import { findPost } from '#server/store/posts/posts.ts'
import { indexPerson, indexPost, unindexPerson, unindexPost } from '#server/store/search/search-index.ts'

/** Indexes the texts of a released post, and its open ones separately; removes a post that is unreleased or deleted from the index. */
export async function reindexPost(tx: Db, postId: string): Promise<void> {
  const row = await findPost(tx, postId)
  if (!row?.releasedAt || row.deletedAt) return unindexPost(tx, postId)
  const open = allTextsOf({ ...row, content: '' })
  await indexPost(tx, postId, row.releasedAt, {
    ...searchable(allTextsOf(row)),
    open: open === '' ? null : searchable(open),
  })
}

/** Indexes the name, handle and biography of a person; removes a deleted account from the index. */
export async function reindexPerson(tx: Db, userId: string): Promise<void> {
  const user = await findUser(tx, userId)
  if (!user || user.deletedAt) return unindexPerson(tx, userId)
  await indexPerson(tx, userId, searchablePerson(user))
}
