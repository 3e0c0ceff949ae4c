// Those a post names are told of it, when it is released and when a name is added later.
import type { After, Deps } from '#server/deps.ts'
import type { Db } from '#server/store/database.ts'
import { findPost } from '#server/store/posts.ts'
import { mentionsToTell } from '#server/views/mentions-told.ts'

/** @param of the post as it is now, whose it is, and its text before this change */
export async function tellNamed(
  { notify, clock }: Deps,
  tx: Db,
  after: After,
  of: { readonly postId: string; readonly by: string; readonly before?: string },
): Promise<void> {
  const post = await findPost(tx, of.postId)
  if (!post) return
  const written = { ...of, commentId: null, parentId: null, text: post.content }
  for (const it of await mentionsToTell(tx, written, clock())) await notify.tell(tx, after, it)
}
