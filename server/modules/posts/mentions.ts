// Notifies mentioned people, at a post's release and at later mentions.
import type { Deps, Unit } from '#server/deps.ts'
import { findPost } from '#server/store/posts/posts.ts'
import { mentionEvents } from '#server/services/posts/mention-events.ts'

/** @param of the post, its author, and its text before this change */
export async function notifyMentioned(
  { clock }: Deps,
  { tx, notify }: Unit,
  of: { readonly postId: string; readonly by: string; readonly before?: string },
): Promise<void> {
  const post = await findPost(tx, of.postId)
  if (!post) return
  const written = { ...of, commentId: null, parentId: null, text: post.content }
  for (const it of await mentionEvents(tx, written, clock())) await notify(it)
}
