// Acts: small things done to posts, comments, people and notifications. They can wait for the network: sent twice, each
// is done once. One table says how each is sent, and which of them take each other back.
import * as v from 'valibot'
import { addComment } from '#contract/posts/comments.ts'
import { pathOf, type Endpoint } from '#contract/endpoint.ts'
import { follow, unfollow } from '#contract/people/follows.ts'
import { likeComment, likePost, unlikeComment, unlikePost } from '#contract/posts/likes.ts'
import { readNotifications } from '#contract/notifications/notifications.ts'

export const actNames = [
  'likePost',
  'unlikePost',
  'likeComment',
  'unlikeComment',
  'follow',
  'unfollow',
  'addComment',
  'readNotifications',
] as const
export type ActName = (typeof actNames)[number]

export const act = v.object({
  name: v.picklist(actNames),
  /** Of the endpoint's path. */
  params: v.record(v.string(), v.pipe(v.string(), v.maxLength(100))),
  /** As the endpoint's body schema takes it. */
  body: v.optional(v.unknown()),
})
export type Act = v.InferOutput<typeof act>

interface Kind {
  readonly endpoint: Endpoint
  /** What it is about; acts about one thing are sent one after the other. */
  readonly about: (params: Readonly<Record<string, string>>) => string
  /** The act that takes it back; null for what is not switched on and off. */
  readonly opposite: ActName | null
  /** It takes something back: done already where there is nothing any more. */
  readonly undoes?: true
  /** What the reply says once it is done; absent for what is not switched on and off. */
  readonly shows?: { readonly liked: boolean } | { readonly following: boolean }
}

const postLike = (it: Readonly<Record<string, string>>) => `like post ${it['post_id']}`
const commentLike = (it: Readonly<Record<string, string>>) => `like comment ${it['comment_id']}`
const following = (it: Readonly<Record<string, string>>) => `follow ${it['user_id']}`

/** An act without a way to send it does not compile. */
const kinds: { readonly [name in ActName]: Kind } = {
  likePost: { endpoint: likePost, about: postLike, opposite: 'unlikePost', shows: { liked: true } },
  unlikePost: {
    endpoint: unlikePost,
    about: postLike,
    opposite: 'likePost',
    undoes: true,
    shows: { liked: false },
  },
  likeComment: {
    endpoint: likeComment,
    about: commentLike,
    opposite: 'unlikeComment',
    shows: { liked: true },
  },
  unlikeComment: {
    endpoint: unlikeComment,
    about: commentLike,
    opposite: 'likeComment',
    undoes: true,
    shows: { liked: false },
  },
  follow: { endpoint: follow, about: following, opposite: 'unfollow', shows: { following: true } },
  unfollow: {
    endpoint: unfollow,
    about: following,
    opposite: 'follow',
    undoes: true,
    shows: { following: false },
  },
  addComment: { endpoint: addComment, about: (it) => `comments ${it['post_id']}`, opposite: null },
  readNotifications: { endpoint: readNotifications, about: () => 'notifications', opposite: null },
}

/** What an act is about: acts with the same answer are sent in the order in which they were done. */
export const aboutOf = ({ name, params }: Act): string => kinds[name].about(params)

/** The act that takes this one back, or null. */
export const oppositeOf = ({ name }: Act): ActName | null => kinds[name].opposite

/** Whether it only takes something back. */
export const isUndoing = ({ name }: Act): boolean => kinds[name].undoes ?? false

/**
 * Whether a reply says the opposite of what the act wanted: the server has noted a later number of the same source.
 * @param reply as the act's endpoint gives it
 */
export function isContradicted({ name }: Act, reply: unknown): boolean {
  const { shows } = kinds[name]
  const parsed = v.safeParse(v.object({ data: v.record(v.string(), v.unknown()) }), reply)
  if (!shows || !parsed.success) return false
  const { data } = parsed.output
  return Object.entries(shows).some(([field, wanted]) => field in data && data[field] !== wanted)
}

/** The endpoint that does it. */
export const endpointOf = ({ name }: Act): Endpoint => kinds[name].endpoint

/** How an act is sent: below the API base. */
export function requestOf(it: Act): { method: string; path: string; body: string | undefined } {
  const { endpoint } = kinds[it.name]
  return {
    method: endpoint.method,
    path: pathOf(endpoint.path, it.params),
    body: endpoint.body ? JSON.stringify(it.body) : undefined,
  }
}
