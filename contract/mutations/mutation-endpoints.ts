// The endpoint of each mutation. Every page loads their table, and only a runner these.
import type { Endpoint } from '#contract/endpoint.ts'
import { sendBroadcast } from '#contract/messages/broadcasts.ts'
import { readConversation } from '#contract/messages/conversations.ts'
import { sendMessage } from '#contract/messages/messages.ts'
import { readNotifications } from '#contract/notifications/notifications.ts'
import { follow, unfollow } from '#contract/people/follows.ts'
import { addComment } from '#contract/posts/comments.ts'
import { likeComment, likePost, unlikeComment, unlikePost } from '#contract/posts/likes.ts'
import type { Mutation, MutationName } from './mutations.ts'

/** A mutation without an endpoint does not compile. */
const endpoints: { readonly [name in MutationName]: Endpoint } = {
  likePost,
  unlikePost,
  likeComment,
  unlikeComment,
  follow,
  unfollow,
  addComment,
  readNotifications,
  sendMessage,
  readConversation,
  sendBroadcast,
}

/** The endpoint of a mutation. */
export const endpointOf = ({ name }: Mutation): Endpoint => endpoints[name]

/** The arguments of the endpoint; a body only where the endpoint takes one. */
export function inputOf(it: Mutation): Pick<Mutation, 'params' | 'body'> {
  return { params: it.params, ...(endpoints[it.name].body && { body: it.body }) }
}
