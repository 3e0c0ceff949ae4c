// Likes, comments and replies of the demo people.
import { newId } from '#contract/ids.ts'
import type { Db } from '#server/store/database.ts'
import { addCommentOnce } from '#server/store/reactions/comments.ts'
import { addCommentLike, addPostLike } from '#server/store/reactions/likes.ts'
import { commentEvents } from '#server/rules/notification-events.ts'
import type { PersonKey } from './people.ts'
import { addDemoNotification } from './notifications.ts'

interface DemoComment {
  readonly by: PersonKey
  readonly text: string
  readonly likedBy?: readonly PersonKey[]
}

export interface DemoReactions {
  readonly likedBy: readonly PersonKey[]
  readonly comments: readonly (DemoComment & { readonly replies?: readonly DemoComment[] })[]
}

/** The parent comment of a reply. */
interface ParentComment {
  readonly id: string
  readonly by: PersonKey
}

const MINUTE = 60_000

/** Adds likes, comments and replies to a post, some minutes after each other. */
export async function addDemoReactions(
  tx: Db,
  { id: postId, authorId }: { readonly id: string; readonly authorId: string },
  { likedBy, comments }: DemoReactions,
  people: Record<PersonKey, string>,
  releasedAt: number,
): Promise<void> {
  let at = releasedAt
  for (const person of likedBy) {
    await addPostLike(tx, postId, people[person], (at += MINUTE))
    await addDemoNotification(tx, { is: 'like_post', by: people[person], to: authorId, postId }, at)
  }
  async function addComment(
    { by, text, likedBy: likers = [] }: DemoComment,
    parent?: ParentComment,
  ): Promise<ParentComment> {
    const id = newId()
    const createdAt = new Date((at += 4 * MINUTE))
    await addCommentOnce(tx, {
      id,
      postId,
      authorId: people[by],
      parentId: parent?.id ?? null,
      answersId: null,
      content: text,
      createdAt,
    })
    const on = { postId, commentId: id, parentId: parent?.id ?? null }
    const answeredAuthors = parent ? [people[parent.by]] : []
    for (const it of commentEvents({ ...on, by: people[by], postAuthorId: authorId, answeredAuthors }))
      await addDemoNotification(tx, it, at)
    for (const person of likers) {
      await addCommentLike(tx, id, people[person], at)
      await addDemoNotification(tx, { is: 'like_comment', by: people[person], to: people[by], ...on }, at)
    }
    return { id, by }
  }
  for (const { replies = [], ...comment } of comments) {
    const parent = await addComment(comment)
    for (const reply of replies) await addComment(reply, parent)
  }
}
