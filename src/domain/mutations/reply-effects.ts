// Applies the server's reply to a mutation to the query cache.
import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { addComment } from '#contract/posts/comments.ts'
import { follow } from '#contract/people/follows.ts'
import { likePost } from '#contract/posts/likes.ts'
import { readNotifications } from '#contract/notifications/notifications.ts'
import { readConversation } from '#contract/messages/conversations.ts'
import { type MessageView, sendMessage } from '#contract/messages/messages.ts'
import { catchUpBefore } from '#src/domain/messages/catch-up.ts'
import { broadcastsQuery } from '#src/domain/messages/broadcast-queries.ts'
import {
  applyConversation,
  applyMessage,
  conversationQuery,
  rereadLists,
} from '#src/domain/messages/message-queries.ts'
import { applyEffects, applyReactions, insertComment } from '#src/domain/posts/comment-cache.ts'
import { applyFollow } from '#src/domain/people/relations.ts'
import { applyCounts } from '#src/domain/posts/post-cache.ts'
import { pushOffer } from '#src/domain/push/push-offer.ts'
import { applyUnread } from '#src/domain/notifications/unread.ts'

/** Writes a reply into the cache. An unreadable reply changes nothing, since data is read again later. */
export function applyToCache(client: QueryClient, mutation: Mutation, reply: unknown): void {
  switch (mutation.name) {
    case 'likePost':
    case 'unlikePost':
    case 'likeComment':
    case 'unlikeComment': {
      const parsed = v.safeParse(likePost.reply, reply)
      if (!parsed.success) return
      liked(client, mutation, parsed.output.data)
      if (parsed.output.data.liked && mutation.params['post_id'] !== undefined) pushOffer.show()
      return
    }
    case 'follow':
    case 'unfollow': {
      const parsed = v.safeParse(follow.reply, reply)
      if (!parsed.success) return
      applyFollow(client, parsed.output.data)
      if (parsed.output.data.following) pushOffer.show()
      return
    }
    case 'addComment': {
      const parsed = v.safeParse(addComment.reply, reply)
      if (!parsed.success) return
      const { post, parent, ...comment } = parsed.output
      insertComment(client, comment)
      applyEffects(client, comment, { post, parent })
      pushOffer.show()
      return
    }
    case 'readNotifications': {
      const parsed = v.safeParse(readNotifications.reply, reply)
      if (parsed.success) applyUnread(client, parsed.output)
      return
    }
    case 'sendMessage': {
      const parsed = v.safeParse(sendMessage.reply, reply)
      if (parsed.success) sent(client, mutation, parsed.output.message)
      return
    }
    case 'readConversation': {
      const parsed = v.safeParse(readConversation.reply, reply)
      if (!parsed.success) return
      applyConversation(client, parsed.output.person.id, parsed.output)
      rereadLists(client)
      return
    }
    case 'sendBroadcast':
      void client.invalidateQueries(broadcastsQuery)
      return
    default:
      mutation.name satisfies never
  }
}

/** The first message of a conversation gives it an id and, as an answer to a request, opens it. */
function sent(client: QueryClient, { params }: Mutation, message: MessageView | null): void {
  const { user_id: userId } = params
  if (userId === undefined) return
  if (message) {
    catchUpBefore(client, userId, message)
    applyMessage(client, userId, message)
  }
  void client.invalidateQueries(conversationQuery(userId))
  rereadLists(client)
  pushOffer.show()
}

type Liked = ReplyOf<typeof likePost>['data']

function liked(client: QueryClient, { params }: Mutation, now: Liked): void {
  const { post_id: post, comment_id: comment } = params
  if (post !== undefined) applyCounts(client, post, now)
  if (comment !== undefined) applyReactions(client, comment, now)
}
