// Views of comments for one viewer.
import type { CommentView } from '#contract/posts/comments.ts'
import { handlesIn } from '#contract/text/mentions.ts'
import type { CommentFacts } from '#server/store/reactions/comment-facts.ts'
import type { Db } from '#server/store/database.ts'
import { findHandles } from '#server/store/accounts/handles.ts'
import { mentionViews } from '#server/services/posts/mention-views.ts'
import { personView } from '#server/services/people/person-view.ts'

interface Context {
  readonly viewerId: string | undefined
  readonly postAuthorId: string
  readonly handles: Map<string, string>
}

/**
 * Views of comments that the viewer may see, in the same order.
 * @param post the post of all of them
 * @param comments facts that were read for this viewer
 */
export async function viewComments(
  db: Db,
  viewer: { readonly id: string } | null,
  post: { readonly authorId: string },
  comments: readonly CommentFacts[],
): Promise<CommentView[]> {
  const handles = await findHandles(
    db,
    comments.flatMap((it) => handlesIn(it.content)),
  )
  const context = { viewerId: viewer?.id, postAuthorId: post.authorId, handles }
  return comments.map((it) => viewOf(it, context))
}

function viewOf(it: CommentFacts, { viewerId, postAuthorId, handles }: Context): CommentView {
  const own = viewerId !== undefined && [it.authorId, postAuthorId].includes(viewerId)
  return {
    id: it.id,
    post_id: it.postId,
    parent_id: it.parentId,
    created_at: it.createdAt.toISOString(),
    replies: it.replies,
    version: it.version,
    deletable: own && it.deletedAt === null,
    body: bodyOf(it, handles),
  }
}

function bodyOf(it: CommentFacts, handles: Map<string, string>): CommentView['body'] {
  if (it.deletedAt !== null) return { is: 'deleted' }
  return {
    is: 'shown',
    author: personView(it.author),
    content: it.content,
    mentions: mentionViews(it.content, handles),
    likes: it.likes,
    liked: it.liked,
    answers: it.answers && personView(it.answers),
    muted: it.muted,
    ...(it.heldBy && { held: it.heldBy }),
  }
}
