// Publishes counts of a post to its readers, read after the commit.
import type { FastifyRequest } from 'fastify'
import { postChannel } from '#contract/realtime/channels.ts'
import type { Deps } from '#server/deps.ts'
import { socketOf } from '#server/http/live-socket.ts'
import { countPostComments } from '#server/store/reactions/comments.ts'
import { countPostLikes } from '#server/store/reactions/likes.ts'

type Saying = Pick<Deps, 'db' | 'realtime'>

/** @returns how many like the post now */
export async function sayLikes(
  { db, realtime }: Saying,
  postId: string,
  request: FastifyRequest,
): Promise<number> {
  const likes = await countPostLikes(db, postId)
  const data = { post_id: postId, likes }
  realtime.publish([
    { channel: postChannel(postId), event: 'likes.changed', data, except: socketOf(request) },
  ])
  return likes
}

export async function sayComment(
  { db, realtime }: Saying,
  { id, postId }: { readonly id: string; readonly postId: string },
  request: FastifyRequest,
): Promise<void> {
  const comments = await countPostComments(db, postId)
  const data = { post_id: postId, comment_id: id, comments }
  realtime.publish([
    { channel: postChannel(postId), event: 'comments.changed', data, except: socketOf(request) },
  ])
}
