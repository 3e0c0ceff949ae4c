// Notifies people who are mentioned in a post, at its release and after edits.
import type { Deps, Unit } from '#server/deps.ts'
import { findPost } from '#server/store/posts/posts.ts'
import { mentionEvents } from '#server/services/posts/mention-events.ts'

/** @param edit the post, its author, and its text before an edit, for an edited post */
export async function notifyMentioned(
  { clock }: Deps,
  { tx, notify }: Unit,
  edit: { readonly postId: string; readonly by: string; readonly before?: string },
): Promise<void> {
  const post = await findPost(tx, edit.postId)
  if (!post) return
  const written = { ...edit, commentId: null, parentId: null, text: post.content }
  for (const event of await mentionEvents(tx, written, clock())) await notify(event)
}
