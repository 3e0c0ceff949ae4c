// What the demo people say about each other's posts.
import { newId } from '#contract/ids.ts'
import type { Db } from '#server/store/database.ts'
import { addCommentOnce } from '#server/store/comments.ts'
import { addCommentLike, addPostLike } from '#server/store/likes.ts'
import type { PersonKey } from './people.ts'

interface Said {
  readonly by: PersonKey
  readonly text: string
  readonly likedBy?: readonly PersonKey[]
}

export interface DemoTalk {
  readonly likedBy: readonly PersonKey[]
  readonly comments: readonly (Said & { readonly replies?: readonly Said[] })[]
}

const MINUTE = 60_000

/** Puts likes, comments and replies below a post, some minutes after each other. */
export async function addDemoTalk(
  tx: Db,
  postId: string,
  { likedBy, comments }: DemoTalk,
  people: Record<PersonKey, string>,
  releasedAt: number,
): Promise<void> {
  let at = releasedAt
  for (const person of likedBy) await addPostLike(tx, postId, people[person], (at += MINUTE))
  async function say({ by, text, likedBy: hearts = [] }: Said, parentId: string | null): Promise<string> {
    const id = newId()
    const createdAt = new Date((at += 4 * MINUTE))
    await addCommentOnce(tx, {
      id,
      postId,
      authorId: people[by],
      parentId,
      answersId: null,
      content: text,
      createdAt,
    })
    for (const person of hearts) await addCommentLike(tx, id, people[person], at)
    return id
  }
  for (const { replies = [], ...comment } of comments) {
    const id = await say(comment, null)
    for (const reply of replies) await say(reply, id)
  }
}
