// Sends a message: decides whether it may be sent, and gives it its place.
import type { FastifyRequest } from 'fastify'
import { newId } from '#contract/ids.ts'
import { fold } from '#contract/text/fold.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError, RateLimited } from '#server/http/errors.ts'
import { spendLimit } from '#server/services/runtime/limits.ts'
import type { OwnUpload } from '#server/services/uploads/own-upload.ts'
import { normalForm } from '#server/rules/moderation/equal-texts.ts'
import { type MayWrite, mayWrite } from '#server/rules/messages/may-write.ts'
import {
  type Contact,
  contactOf,
  type Conversation,
  type MemberRow,
  takesPart,
} from '#server/store/messages/contacts.ts'
import type { Db } from '#server/store/database.ts'
import {
  addConversation,
  addUnread,
  countChange,
  lockConversation,
  setMember,
} from '#server/store/messages/conversations.ts'
import { countRecipients, removeEqualMessagesBefore } from '#server/store/messages/equal-messages.ts'
import { mediaIdsOf } from '#server/store/messages/message-media.ts'
import { addMessage, findMessage, isMessageOf, type MessageRow } from '#server/store/messages/messages.ts'
import { isNewAccount } from '#server/services/holds/pace.ts'
import { isAttachable } from '#server/services/posts/post-card.ts'
import { enqueueMessageNotices } from '#server/services/notifications/message-notice.ts'
import { indexNewMessage } from '#server/services/search/message-index.ts'
import { lockPair } from '#server/store/people/blocks.ts'
import { attachMedia, gatherMedia } from './attachments.ts'
import { publishToBoth, publishToOther, publishToSelf, publishUnread } from './live.ts'
import { revealMedia } from './media-state.ts'
import { writingOf } from './views.ts'

const DAY = 24 * 3600_000

interface Sending {
  readonly senderId: string
  readonly recipientId: string
  readonly body: {
    readonly id: string
    readonly content: string
    readonly media: readonly string[]
    readonly digests: readonly string[]
    readonly reply_to: string | null
    readonly post_id: string | null
  }
  /** Undefined for a job. */
  readonly request: FastifyRequest | undefined
}

type Sent = Pick<MessageRow, 'conversationId' | 'seq'>

/**
 * Sends a message once.
 * @returns the place of the message, also when it was sent before
 */
export async function send(deps: Deps, it: Sending): Promise<Sent> {
  const earlier = await findSent(deps, it)
  if (earlier) {
    deps.metrics.repeated('message')
    return earlier
  }
  await spendLimit(deps, 'messages_per_hour', it.senderId)
  const isNew = await isNewAccount(deps, it.senderId)
  const { messagesOfNew } = deps.settings.limits
  if (isNew) await spend(deps, `messages ${it.senderId}`, messagesOfNew)
  const media = await gatherMedia(deps, it.senderId, it.body.media, it.body.digests)
  await requireOwnPost(deps, it.senderId, it.body.post_id)
  return deps.transaction(async (unit) => {
    await lockPair(unit.tx, it.senderId, it.recipientId)
    const again = await findSent({ ...deps, db: unit.tx }, it)
    if (again) {
      deps.metrics.repeated('message')
      return again
    }
    const contact = await lockedContact(deps, unit, it)
    const may = mayWrite(writingOf(contact, it.senderId === it.recipientId))
    if (may === 'closed' || may === 'waiting') throw new ApiError('forbidden')
    await limitStrangers(deps, unit, it, contact, may, isNew)
    return acceptMessage(deps, unit, { ...it, media, isBroadcast: false }, contact, may)
  })
}

/** The contact while no other change of the conversation is possible: the recipient may be accepting it now. */
export async function lockedContact(
  { clock }: Pick<Deps, 'clock'>,
  { tx }: Pick<Unit, 'tx'>,
  it: Pick<Sending, 'senderId' | 'recipientId'>,
): Promise<Contact> {
  const read = () => contactOf(tx, it.senderId, it.recipientId, clock())
  const before = await read()
  if (before?.conversation) await lockConversation(tx, before.conversation.id)
  const contact = before?.conversation ? await read() : before
  if (!contact) throw new ApiError('not_found')
  return contact
}

/**
 * The message that was sent with this id before.
 * @throws ApiError `conflict` when the id belongs to another message
 */
async function findSent({ db }: Pick<Deps, 'db'>, it: Sending): Promise<Sent | undefined> {
  const message = await findMessage(db, it.body.id)
  if (!message) return undefined
  const contact = await contactOf(db, it.senderId, it.recipientId, 0)
  const isSame =
    message.senderId === it.senderId &&
    message.conversationId === contact?.conversation?.id &&
    (message.unsentAt !== null || (await isEqual(db, message, it.body)))
  if (!isSame) throw new ApiError('conflict')
  return message
}

/** Whether a message has this text, this post, and these media in this order. */
async function isEqual(
  db: Db,
  message: MessageRow,
  { id, content, media, post_id: postId }: Sending['body'],
): Promise<boolean> {
  if (message.content !== content || message.postId !== postId) return false
  const stored = await mediaIdsOf(db, id)
  return stored.length === media.length && stored.every((it, i) => it === media[i])
}

/** @throws ApiError `invalid` unless it is a released post of the sender */
export async function requireOwnPost(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  senderId: string,
  postId: string | null,
): Promise<void> {
  if (postId !== null && !(await isAttachable(db, senderId, postId, clock())))
    throw new ApiError('invalid', { post_id: 'unknown_post' })
}

async function spend(
  { counts }: Deps,
  key: string,
  budget: { max: number; timeWindow: number },
): Promise<void> {
  const { current, ttl } = await counts.add(key, budget.timeWindow)
  if (current > budget.max) throw new RateLimited(ttl)
}

/** Limits of messages to people who have not answered: begun requests, and people who get the same text. */
async function limitStrangers(
  deps: Deps,
  { tx }: Unit,
  { senderId, recipientId, body }: Sending,
  { conversation }: Contact,
  may: MayWrite,
  isNew: boolean,
): Promise<void> {
  const { limits } = deps.settings
  if (conversation?.theirs.state === 'accepted') return
  if (may === 'request' && !conversation)
    await spend(deps, `requests ${senderId}`, isNew ? limits.messageRequestsOfNew : limits.messageRequests)
  // Without a text there is nothing that could be equal: files and posts are not compared.
  if (body.content === '') return
  const content = `${senderId}\n${normalForm(body.content) || fold(body.content)}`
  const hashes = {
    content: deps.secrets.mac('equal-message', content),
    recipient: deps.secrets.mac('equal-message', `${recipientId}\n${content}`),
  }
  const now = deps.clock()
  if ((await countRecipients(tx, hashes, now - DAY, now)) > limits.equalMessages)
    throw new ApiError('text_limit')
}

/** A message with its checked uploads. */
interface Accepted extends Sending {
  readonly media: readonly OwnUpload[]
  /** One of many: the sender's list and open pages stay as they are, until the recipient answers. */
  readonly isBroadcast: boolean
}

/** Stores a message that may be sent. */
export async function acceptMessage(
  deps: Deps,
  unit: Unit,
  it: Accepted,
  { conversation }: Contact,
  may: MayWrite,
): Promise<Sent> {
  const { senderId, recipientId, body, request } = it
  const { tx } = unit
  const now = deps.clock()
  const before = conversation?.theirs.state ?? null
  const state = stateAfter(before, may)
  const conversationId = conversation?.id ?? newId()
  if (!conversation) {
    const sides = [
      { userId: senderId, state: 'accepted' },
      { userId: recipientId, state },
    ] as const
    await addConversation(tx, conversationId, sides, now)
  }
  if (body.reply_to !== null && !(await isMessageOf(tx, body.reply_to, conversationId)))
    throw new ApiError('not_found')
  if (conversation) await revealByMessage(tx, conversation, it, state)
  const numbers = await countChange(tx, conversationId, { isMessage: true })
  const place = { conversationId, seq: numbers.lastSeq }
  await addMessage(tx, {
    ...place,
    id: body.id,
    change: numbers.lastChange,
    senderId,
    content: body.content,
    replyToId: body.reply_to,
    postId: body.post_id,
    sentAt: new Date(now),
  })
  const seenBy = state === 'declined' ? [senderId] : [senderId, recipientId]
  const written = { ...place, id: body.id, senderId, content: body.content, sentAt: new Date(now) }
  await attachMedia(unit, body.id, it.media, now)
  await indexNewMessage(tx, written, seenBy)
  await setSender(tx, conversationId, it, conversation, now)
  const changed = { conversationId, byId: senderId, otherId: recipientId, request }
  if (state === 'declined') {
    publishToSelf(unit, changed, numbers)
    return place
  }
  await addUnread(tx, conversationId, recipientId, state, now)
  if (it.isBroadcast) publishToOther(unit, changed, numbers)
  else publishToBoth(unit, changed, numbers)
  if (state === 'requested') return place
  publishUnread(unit, deps.db, recipientId)
  if (conversation?.theirs.muted) return place
  const mailedAt = conversation?.theirs.mailedAt ?? null
  await enqueueMessageNotices(unit, { messageId: body.id, senderId, recipientId, mailedAt }, now)
  return place
}

/**
 * Changes the row of a sender, whose message is an answer. A broadcast answers nothing: a conversation that it begins is in
 * the archive until the recipient writes, and any other stays as it is.
 */
async function setSender(
  tx: Db,
  conversationId: string,
  { isBroadcast, senderId }: Accepted,
  conversation: Conversation | null,
  now: number,
): Promise<void> {
  if (!isBroadcast)
    await setMember(tx, conversationId, senderId, {
      state: 'accepted',
      archived: false,
      lastAt: new Date(now),
    })
  else if (!conversation) await setMember(tx, conversationId, senderId, { archived: true })
}

/** A message accepts what its recipient has sent before, unless it is a broadcast, and may end its sender's own request. */
async function revealByMessage(
  tx: Db,
  { id, mine, theirs }: Conversation,
  { senderId, recipientId, isBroadcast }: Accepted,
  state: MemberRow['state'],
): Promise<void> {
  if (!isBroadcast && !takesPart(mine)) await revealMedia(tx, id, recipientId)
  if (!takesPart(theirs) && takesPart({ state })) await revealMedia(tx, id, senderId)
}

/** The recipient's state after a message. */
function stateAfter(before: MemberRow['state'] | null, may: MayWrite): MemberRow['state'] {
  if (before === 'accepted') return before
  if (may === 'open') return 'received'
  return before === 'declined' ? before : 'requested'
}

/** Removes hashes of texts that are older than a day. */
export async function removeOldEqualMessages({ db, clock }: Deps): Promise<void> {
  await removeEqualMessagesBefore(db, clock() - DAY)
}
