// What the demo people say about each other's posts.
import { newId } from '#contract/ids.ts'
import type { Db } from '#server/store/database.ts'
import { addCommentOnce } from '#server/store/reactions/comments.ts'
import { addCommentLike, addPostLike } from '#server/store/reactions/likes.ts'
import { commentEvents } from '#server/rules/notification-events.ts'
import type { PersonKey } from './people.ts'
import { tellDemo } from './notifications.ts'

interface Said {
  readonly by: PersonKey
  readonly text: string
  readonly likedBy?: readonly PersonKey[]
}

export interface DemoTalk {
  readonly likedBy: readonly PersonKey[]
  readonly comments: readonly (Said & { readonly replies?: readonly Said[] })[]
}

/** The parent comment of a reply. */
interface Above {
  readonly id: string
  readonly by: PersonKey
}

const MINUTE = 60_000

/** Puts likes, comments and replies below a post, some minutes after each other. */
export async function addDemoTalk(
  tx: Db,
  { id: postId, authorId }: { readonly id: string; readonly authorId: string },
  { likedBy, comments }: DemoTalk,
  people: Record<PersonKey, string>,
  releasedAt: number,
): Promise<void> {
  let at = releasedAt
  for (const person of likedBy) {
    await addPostLike(tx, postId, people[person], (at += MINUTE))
    await tellDemo(tx, { is: 'like_post', by: people[person], to: authorId, postId }, at)
  }
  async function say({ by, text, likedBy: hearts = [] }: Said, above?: Above): Promise<Above> {
    const id = newId()
    const createdAt = new Date((at += 4 * MINUTE))
    await addCommentOnce(tx, {
      id,
      postId,
      authorId: people[by],
      parentId: above?.id ?? null,
      answersId: null,
      content: text,
      createdAt,
    })
    const on = { postId, commentId: id, parentId: above?.id ?? null }
    const answeredAuthors = above ? [people[above.by]] : []
    for (const it of commentEvents({ ...on, by: people[by], postAuthorId: authorId, answeredAuthors }))
      await tellDemo(tx, it, at)
    for (const person of hearts) {
      await addCommentLike(tx, id, people[person], at)
      await tellDemo(tx, { is: 'like_comment', by: people[person], to: people[by], ...on }, at)
    }
    return { id, by }
  }
  for (const { replies = [], ...comment } of comments) {
    const above = await say(comment)
    for (const reply of replies) await say(reply, above)
  }
}
