// Mutations: likes, follows, comments, messages, broadcasts and reading marks. Sent twice, each takes effect once.
// One table defines the target of each, and which of them reverse each other.
import * as v from 'valibot'

export const mutationNames = [
  'likePost',
  'unlikePost',
  'likeComment',
  'unlikeComment',
  'follow',
  'unfollow',
  'addComment',
  'readNotifications',
  'sendMessage',
  'readConversation',
  'sendBroadcast',
] as const
export type MutationName = (typeof mutationNames)[number]

export const mutation = v.object({
  name: v.picklist(mutationNames),
  /** Of the endpoint's path. */
  params: v.record(v.string(), v.pipe(v.string(), v.maxLength(100))),
  /** As the endpoint's body schema takes it. */
  body: v.optional(v.unknown()),
})
export type Mutation = v.InferOutput<typeof mutation>

interface Kind {
  /** The target; mutations of one target are sent one after the other. */
  readonly about: (params: Readonly<Record<string, string>>) => string
  /** The mutation that reverses this one; null for mutations without an opposite. */
  readonly opposite: MutationName | null
  /** This mutation undoes another; it counts as done when there is nothing to undo. */
  readonly undoes?: true
  /** What the reply has once the mutation took effect; absent for mutations without an opposite. */
  readonly shows?: { readonly liked: boolean } | { readonly following: boolean }
}

const postLike = (it: Readonly<Record<string, string>>) => `like post ${it['post_id']}`
const commentLike = (it: Readonly<Record<string, string>>) => `like comment ${it['comment_id']}`
const following = (it: Readonly<Record<string, string>>) => `follow ${it['user_id']}`

const kinds: { readonly [name in MutationName]: Kind } = {
  likePost: { about: postLike, opposite: 'unlikePost', shows: { liked: true } },
  unlikePost: { about: postLike, opposite: 'likePost', undoes: true, shows: { liked: false } },
  likeComment: { about: commentLike, opposite: 'unlikeComment', shows: { liked: true } },
  unlikeComment: { about: commentLike, opposite: 'likeComment', undoes: true, shows: { liked: false } },
  follow: { about: following, opposite: 'unfollow', shows: { following: true } },
  unfollow: { about: following, opposite: 'follow', undoes: true, shows: { following: false } },
  addComment: { about: (it) => `comments ${it['post_id']}`, opposite: null },
  readNotifications: { about: () => 'notifications', opposite: null },
  sendMessage: { about: (it) => `messages ${it['user_id']}`, opposite: null },
  readConversation: { about: (it) => `read messages ${it['user_id']}`, opposite: null },
  sendBroadcast: { about: () => 'broadcasts', opposite: null },
}

/** The target of a mutation: mutations of the same target are sent in the order in which they were done. */
export const aboutOf = ({ name, params }: Mutation): string => kinds[name].about(params)

/** The mutation that reverses this one, or null. */
export const oppositeOf = ({ name }: Mutation): MutationName | null => kinds[name].opposite

/** Whether a mutation undoes another. */
export const isUndoing = ({ name }: Mutation): boolean => kinds[name].undoes ?? false

/**
 * Whether a reply shows the opposite of the mutation: the server has recorded a later number of the same source.
 * @param reply as the mutation's endpoint returns it
 */
export function isContradicted({ name }: Mutation, reply: unknown): boolean {
  const { shows } = kinds[name]
  const parsed = v.safeParse(v.object({ data: v.record(v.string(), v.unknown()) }), reply)
  if (!shows || !parsed.success) return false
  const { data } = parsed.output
  return Object.entries(shows).some(([field, wanted]) => field in data && data[field] !== wanted)
}
