// Conversations of two people: lists, state, read positions, and acts on a whole conversation.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { conversationList } from './conversation-lists.ts'
import { messageView } from './messages.ts'

/**
 * Whether the viewer may write to the other person. `request`: their messages are a message request until it is accepted.
 * `waiting`: the request has as many messages as it may have. `closed`: not possible, for whatever reason.
 */
const mayWrite = v.picklist(['open', 'request', 'waiting', 'closed'])

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const params = v.object({ user_id: id })

/** A conversation of the viewer, who addresses it by the id of the other person. */
const listedConversation = v.object({
  conversation_id: id,
  /** The other person. Of one who is not present only `退会したユーザー` is shown. */
  person: personView,
  /** The newest message that the viewer has not deleted; null without one. */
  last_message: v.nullable(messageView),
  /** Messages of the other person that the viewer has not read. */
  unread: count,
  /** Numbers of the newest change and of the viewer's newest deletion, as in `getConversation`. */
  last_change: count,
  last_deletion: count,
  last_at: instant,
  pinned: v.boolean(),
  muted: v.boolean(),
  archived: v.boolean(),
})
export type ListedConversation = v.InferOutput<typeof listedConversation>

/**
 * Conversations of one list, by their newest message. The first page of the inbox has the pinned ones in `pinned`, which no
 * page repeats. `cursor` is the previous page's `next`.
 */
export const listConversations = endpoint({
  name: 'listConversations',
  method: 'GET',
  path: '/conversations',
  audience: 'member',
  cached: true,
  summary: 'メッセージの一覧',
  query: v.object({
    list: v.optional(conversationList, 'inbox'),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
  }),
  reply: v.object({
    pinned: v.array(listedConversation),
    conversations: v.array(listedConversation),
    next: v.nullable(v.string()),
  }),
  errors: ['unauthenticated'],
})

/** Unread messages of the inbox, without muted conversations, and message requests; each is counted up to 999. */
export const countUnreadMessages = endpoint({
  name: 'countUnreadMessages',
  method: 'GET',
  path: '/conversations/unread',
  audience: 'member',
  summary: '未読メッセージとリクエストの数',
  reply: v.object({ count, requests: count }),
  errors: ['unauthenticated'],
})

/** The viewer's view of a conversation. Before the first message the id is null and all positions are 0. */
export const conversationView = v.object({
  conversation_id: v.nullable(id),
  person: personView,
  may_write: mayWrite,
  /** Whether the viewer has to accept or decline what the other person wrote. */
  is_request: v.boolean(),
  /** Sequence number of the newest message. */
  last_seq: count,
  /** Number of the newest change: `listMessageChanges` has everything after one. */
  last_change: count,
  /** Number of the newest message that the viewer has deleted for themselves. */
  last_deletion: count,
  /** Read by the viewer up to this message. */
  read_seq: count,
  /** Messages up to this one are deleted for the viewer. */
  cleared_seq: count,
  /** How far the other person has received and read; null unless both send read marks and both take part. */
  marks: v.nullable(v.object({ delivered_seq: count, read_seq: count })),
  unread: count,
  pinned: v.boolean(),
  muted: v.boolean(),
  archived: v.boolean(),
})
export type ConversationView = v.InferOutput<typeof conversationView>

/** A person who does not exist and one with a block in either direction get the same reply. */
export const getConversation = endpoint({
  name: 'getConversation',
  method: 'GET',
  path: '/conversations/:user_id',
  audience: 'member',
  cached: true,
  summary: '相手とのメッセージの状態',
  params,
  reply: conversationView,
  errors: ['unauthenticated', 'not_found'],
})

const position = v.object({ seq: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(999_999_999)) })

/** The viewer has read up to a message. A lower number than before changes nothing. */
export const readConversation = endpoint({
  name: 'readConversation',
  method: 'PUT',
  path: '/conversations/:user_id/read',
  audience: 'member',
  summary: 'メッセージを既読にします',
  params,
  body: position,
  reply: conversationView,
  errors: ['unauthenticated', 'not_found'],
})

/** Messages have arrived on a device of the viewer, up to this one. A lower number than before changes nothing. */
export const receiveMessages = endpoint({
  name: 'receiveMessages',
  method: 'PUT',
  path: '/conversations/:user_id/delivered',
  audience: 'member',
  summary: 'メッセージが端末に届いたことを知らせます',
  params,
  body: position,
  reply: conversationView,
  errors: ['unauthenticated', 'not_found'],
})

/** Changes what is named and nothing else. `conflict`: as many conversations as possible are pinned. */
export const changeConversation = endpoint({
  name: 'changeConversation',
  method: 'PATCH',
  path: '/conversations/:user_id',
  audience: 'member',
  summary: 'メッセージの相手をピン留め、ミュート、アーカイブします',
  params,
  body: v.pipe(
    v.partial(v.object({ pinned: v.boolean(), muted: v.boolean(), archived: v.boolean() })),
    v.check((it) => Object.keys(it).length > 0, 'required'),
  ),
  reply: conversationView,
  errors: ['unauthenticated', 'not_found', 'conflict'],
})

/** Accepts a message request, also one that was declined. A repeat changes nothing. */
export const acceptRequest = endpoint({
  name: 'acceptRequest',
  method: 'POST',
  path: '/conversations/:user_id/accept',
  audience: 'member',
  summary: 'メッセージリクエストを承認します',
  params,
  reply: conversationView,
  errors: ['unauthenticated', 'not_found'],
})

/** Declines a message request. Its sender sees no difference. A repeat changes nothing. */
export const declineRequest = endpoint({
  name: 'declineRequest',
  method: 'POST',
  path: '/conversations/:user_id/decline',
  audience: 'member',
  summary: 'メッセージリクエストを拒否します',
  params,
  reply: conversationView,
  errors: ['unauthenticated', 'not_found', 'conflict'],
})

/** Deletes all present messages for the viewer alone. */
export const clearConversation = endpoint({
  name: 'clearConversation',
  method: 'DELETE',
  path: '/conversations/:user_id',
  audience: 'member',
  summary: '相手とのメッセージを自分の画面から削除します',
  params,
  reply: conversationView,
  errors: ['unauthenticated', 'not_found'],
})
