// Messages of a conversation: reading, sending, unsending, deleting and reactions.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { MAX_MESSAGE, MAX_MESSAGE_IMAGES, MAX_MESSAGE_VIDEOS } from '#contract/limits.ts'
import { mediaView } from '#contract/posts/media.ts'
import { postCard } from '#contract/posts/post-card.ts'
import { maxLength } from '#contract/rules.ts'
import { asLines, isInvisible } from '#contract/text/text-rule.ts'

/** Stored names. */
export const reaction = v.picklist(['heart', 'thanks', 'laugh', 'surprise', 'sad', 'yes'])
export type Reaction = v.InferOutput<typeof reaction>

/** The message that another one replies to. */
const repliedView = v.object({
  id,
  seq: v.number(),
  sender_id: id,
  /** Its beginning; null if it is unsent, or deleted for the viewer. */
  excerpt: v.nullable(v.string()),
  /** Number of its images and videos; 0 where the excerpt is null. */
  media_count: v.number(),
  /** Whether it carries a post; false where the excerpt is null. */
  has_post: v.optional(v.boolean(), false),
})

export const messageView = v.object({
  id,
  /** Place in the conversation, which the server gave at acceptance: 1, 2, 3 … without gaps. */
  seq: v.number(),
  /** Number of the conversation's change that changed this message last. */
  change: v.number(),
  sender_id: id,
  sent_at: instant,
  body: v.variant('is', [
    v.object({
      is: v.literal('text'),
      /** '' only with media or a post. */
      content: v.string(),
      /** In the sender's order. The sender sees them while they are processed, or why one failed. */
      media: v.array(mediaView),
      /** Images and videos that are not shown before the viewer has accepted the message request. */
      hidden_media: v.number(),
      /** The post that it carries. Replies that devices cached from earlier servers lack it. */
      post: v.optional(v.nullable(postCard), null),
      reply_to: v.nullable(repliedView),
      reactions: v.array(v.object({ user_id: id, reaction })),
    }),
    v.object({ is: v.literal('unsent') }),
  ]),
})
export type MessageView = v.InferOutput<typeof messageView>

const params = v.object({ user_id: id })
const ofMessage = v.object({ message_id: id })
const digits = v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'malformed'), v.transform(Number), v.integer())

/** Messages of one page. */
export const MESSAGES_PAGE = 50

/** Composite SHA-256 of a file (contract/digest.ts), base64. */
const digest = v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{43}=$/, 'malformed'))

const messagePage = v.object({
  messages: v.array(messageView),
  has_before: v.boolean(),
  has_after: v.boolean(),
  /** The page has every change up to these numbers: `listMessageChanges` has those after them. */
  last_change: v.number(),
  last_deletion: v.number(),
})
export type MessagePage = v.InferOutput<typeof messagePage>

/**
 * Messages in their order, without those deleted for the viewer: the newest ones, those before or after a sequence number,
 * or those around one, which is among them.
 */
export const listMessages = endpoint({
  name: 'listMessages',
  method: 'GET',
  path: '/conversations/:user_id/messages',
  audience: 'member',
  cached: true,
  summary: '相手とのメッセージ',
  params,
  query: v.pipe(
    v.object({ before: v.optional(digits), after: v.optional(digits), around: v.optional(digits) }),
    v.check((it) => Object.keys(it).length <= 1, 'malformed'),
  ),
  reply: messagePage,
  errors: ['unauthenticated', 'not_found'],
})

/**
 * What has changed for the viewer: new and changed messages after a change number, and ids of messages that the viewer has
 * deleted for themselves after a deletion number, each oldest first. `next`: the reply has everything up to these numbers.
 * Read positions are in `getConversation`.
 */
export const listMessageChanges = endpoint({
  name: 'listMessageChanges',
  method: 'GET',
  path: '/conversations/:user_id/changes',
  audience: 'member',
  summary: '相手とのメッセージの変更',
  params,
  query: v.object({ after: digits, deleted_after: v.optional(digits, '0') }),
  reply: v.object({
    messages: v.array(messageView),
    deleted: v.array(id),
    next: v.object({ after: v.number(), deleted_after: v.number() }),
    has_more: v.boolean(),
  }),
  errors: ['unauthenticated', 'not_found'],
})

/** The text of a message, as its writer counted it. */
export const messageContent = v.pipe(
  v.string(),
  v.transform((it) => asLines(it).trim()),
  maxLength(MAX_MESSAGE),
  v.check((it) => it === '' || !isInvisible(it), 'invisible'),
)

/**
 * Sends a message. Sent again with the same id it changes nothing and has the same reply. `conflict`: the id belongs to
 * another message, or a post or message has one of the uploads. `invalid` with the field `media`: an upload of another
 * person, more than 10 images or more than one video; with `post_id`: not a released post of the sender. `digest_mismatch`:
 * the server has other bytes of these uploads than were picked. `forbidden`: the sender may not write, or no further message
 * before the request is accepted.
 */
export const sendMessage = endpoint({
  name: 'sendMessage',
  method: 'POST',
  path: '/conversations/:user_id/messages',
  audience: 'member',
  summary: 'メッセージを送信します',
  params,
  body: v.pipe(
    v.object({
      /** A UUIDv7 made on the device: sent again it is the same message. */
      id,
      /** '' only with media or a post. */
      content: messageContent,
      /** Ids of the sender's finished uploads (`/upload-chunking-2`), in their order. */
      media: v.optional(
        v.pipe(v.array(id), v.maxLength(MAX_MESSAGE_IMAGES + MAX_MESSAGE_VIDEOS, 'too_long')),
        [],
      ),
      /** Digests of the picked files, in the same order; without any they are not compared. */
      digests: v.optional(
        v.pipe(v.array(digest), v.maxLength(MAX_MESSAGE_IMAGES + MAX_MESSAGE_VIDEOS, 'too_long')),
        [],
      ),
      /** A message of the same conversation. */
      reply_to: v.optional(v.nullable(id), null),
      /** A released post of the sender. */
      post_id: v.optional(v.nullable(id), null),
    }),
    v.forward(
      v.check((it) => it.content !== '' || it.media.length > 0 || it.post_id !== null, 'required'),
      ['content'],
    ),
    v.forward(
      v.check((it) => it.digests.length === 0 || it.digests.length === it.media.length, 'malformed'),
      ['digests'],
    ),
  ),
  /** `message` is null when the sender has deleted it for themselves since. */
  reply: v.object({ conversation_id: id, message: v.nullable(messageView) }),
  errors: [
    'text_limit',
    'unauthenticated',
    'not_found',
    'forbidden',
    'conflict',
    'upload_incomplete',
    'digest_mismatch',
    'unsupported_media',
    'too_large',
  ],
})

/** Takes an own message back for both; a placeholder stays. `forbidden`: more than 24 hours old, or of the other person. */
export const unsendMessage = endpoint({
  name: 'unsendMessage',
  method: 'POST',
  path: '/messages/:message_id/unsend',
  audience: 'member',
  summary: 'メッセージの送信を取り消します',
  params: ofMessage,
  reply: messageView,
  errors: ['unauthenticated', 'not_found', 'forbidden'],
})

/** Deletes a message for the viewer alone. A repeat changes nothing. */
export const hideMessage = endpoint({
  name: 'hideMessage',
  method: 'DELETE',
  path: '/messages/:message_id',
  audience: 'member',
  summary: 'メッセージを自分の画面から削除します',
  params: ofMessage,
  reply: v.object({ data: v.object({ id }) }),
  errors: ['unauthenticated', 'not_found'],
})

/** Reacts to a message, in the place of an earlier reaction. `forbidden`: the viewer may not write. */
export const reactToMessage = endpoint({
  name: 'reactToMessage',
  method: 'PUT',
  path: '/messages/:message_id/reaction',
  audience: 'member',
  summary: 'メッセージにリアクションを付けます',
  params: ofMessage,
  body: v.object({ reaction }),
  reply: messageView,
  errors: ['unauthenticated', 'not_found', 'forbidden', 'gone'],
})

export const removeReaction = endpoint({
  name: 'removeReaction',
  method: 'DELETE',
  path: '/messages/:message_id/reaction',
  audience: 'member',
  summary: 'メッセージのリアクションを外します',
  params: ofMessage,
  reply: messageView,
  errors: ['unauthenticated', 'not_found'],
})
