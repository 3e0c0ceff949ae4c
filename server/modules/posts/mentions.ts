// Notifies people whom a post mentions, at its release and when a mention is added later.
import type { After, Deps } from '#server/deps.ts'
import type { Db } from '#server/store/database.ts'
import { findPost } from '#server/store/posts/posts.ts'
import { mentionEvents } from '#server/services/posts/mention-events.ts'

/** @param of the post, its author, and its text before this change */
export async function notifyMentioned(
  { notifier, clock }: Deps,
  tx: Db,
  after: After,
  of: { readonly postId: string; readonly by: string; readonly before?: string },
): Promise<void> {
  const post = await findPost(tx, of.postId)
  if (!post) return
  const written = { ...of, commentId: null, parentId: null, text: post.content }
  for (const it of await mentionEvents(tx, written, clock())) await notifier.notify(tx, after, it)
}
