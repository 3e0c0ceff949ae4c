// Applies the server's reply to a mutation to the query cache.
import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { addComment } from '#contract/posts/comments.ts'
import { follow } from '#contract/people/follows.ts'
import { likePost } from '#contract/posts/likes.ts'
import { readNotifications } from '#contract/notifications/notifications.ts'
import { changeShown, insertComment } from '#src/domain/posts/comment-cache.ts'
import { followed } from '#src/domain/people/relations.ts'
import { changePostIn, countComments } from '#src/domain/posts/post-cache.ts'
import { pushMoment } from '#src/domain/push/push-moment.ts'
import { putNewer } from '#src/domain/queries/query.ts'
import { unreadQuery } from '#src/domain/notifications/unread.ts'

/** An unreadable reply changes nothing: the displayed data is read again later. */
export function takeReply(client: QueryClient, mutation: Mutation, reply: unknown): void {
  switch (mutation.name) {
    case 'likePost':
    case 'unlikePost':
    case 'likeComment':
    case 'unlikeComment': {
      const said = v.safeParse(likePost.reply, reply)
      if (!said.success) return
      liked(client, mutation, said.output.data)
      if (said.output.data.liked && mutation.params['post_id'] !== undefined) pushMoment.came()
      return
    }
    case 'follow':
    case 'unfollow': {
      const said = v.safeParse(follow.reply, reply)
      if (!said.success) return
      followed(client, said.output.data)
      if (said.output.data.following) pushMoment.came()
      return
    }
    case 'addComment': {
      const said = v.safeParse(addComment.reply, reply)
      if (!said.success) return
      insertComment(client, said.output)
      countComments(client, said.output.post_id, 1)
      pushMoment.came()
      return
    }
    case 'readNotifications': {
      const said = v.safeParse(readNotifications.reply, reply)
      if (said.success) void putNewer(client, unreadQuery.queryKey, said.output)
      return
    }
    default:
      mutation.name satisfies never
  }
}

function liked(client: QueryClient, { params }: Mutation, now: { liked: boolean; likes: number }): void {
  const { post_id: post, comment_id: comment } = params
  if (post !== undefined)
    changePostIn(client, post, (it) => ({
      ...it,
      liked: now.liked,
      counts: { ...it.counts, likes: now.likes },
    }))
  if (comment !== undefined) changeShown(client, comment, (body) => ({ ...body, ...now }))
}
