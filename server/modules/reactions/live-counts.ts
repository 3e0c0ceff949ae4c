// Live messages with counts of a post, for its readers. The counts are read after the commit.
import type { FastifyRequest } from 'fastify'
import { type LiveMessage, postChannel } from '#contract/realtime/channels.ts'
import type { Deps } from '#server/deps.ts'
import { socketOf } from '#server/http/live-socket.ts'
import { postCountsOf } from '#server/store/reactions/counts.ts'

/**
 * @returns a function that `publish` calls after the commit; before it, concurrent transactions do not see each other's
 * likes
 */
export const likesChanged =
  ({ db }: Pick<Deps, 'db'>, postId: string, request: FastifyRequest) =>
  async (): Promise<LiveMessage> => ({
    channel: postChannel(postId),
    event: 'likes.changed',
    data: { post_id: postId, ...(await postCountsOf(db, postId)) },
    except: socketOf(request),
  })

/** As `likesChanged`, for a comment that was added, deleted, liked or unliked. */
export const commentChanged =
  (
    { db }: Pick<Deps, 'db'>,
    { id, postId }: { readonly id: string; readonly postId: string },
    request: FastifyRequest,
  ) =>
  async (): Promise<LiveMessage> => ({
    channel: postChannel(postId),
    event: 'comments.changed',
    data: { post_id: postId, comment_id: id, ...(await postCountsOf(db, postId)) },
    except: socketOf(request),
  })
