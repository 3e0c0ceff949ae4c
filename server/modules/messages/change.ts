// Changes of one message: unsending, hiding and reactions.
import type { FastifyRequest } from 'fastify'
import { UNSEND_MS } from '#contract/limits.ts'
import type { MessageView, Reaction } from '#contract/messages/messages.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { mayWrite } from '#server/rules/messages/may-write.ts'
import { contactOf, takesPart } from '#server/store/messages/contacts.ts'
import { countChange, lockConversation, type Numbers } from '#server/store/messages/conversations.ts'
import { detachFromMessage } from '#server/store/messages/message-media.ts'
import {
  findMessage,
  hideFrom,
  isHidden,
  type MessagePlace,
  type MessageRow,
  placeOf,
  setChange,
  setReaction,
  setUnsent,
  subtractUnread,
} from '#server/store/messages/messages.ts'
import { unindexMessage } from '#server/store/messages/message-index.ts'
import { factsOfMessage } from '#server/store/messages/pages.ts'
import { type Changed, publishToBoth, publishToSelf, publishUnread } from './live.ts'
import { messageViews, writingOf } from './views.ts'

/** A request about one message. */
export interface MessageCall {
  readonly viewer: { readonly id: string }
  readonly params: { readonly message_id: string }
  readonly request: FastifyRequest
}

interface Locked {
  readonly message: MessageRow
  readonly place: MessagePlace
  readonly numbers: Numbers
  readonly changed: Changed
}

/**
 * The message of a request, while no other change of its conversation is possible.
 * @throws ApiError `not_found` unless the viewer sees it, or has hidden it
 */
async function lockMessage({ tx }: Unit, { viewer, params, request }: MessageCall): Promise<Locked> {
  const place = await placeOf(tx, params.message_id, viewer.id)
  if (!place) throw new ApiError('not_found')
  const { conversationId, otherId } = place
  const numbers = await lockConversation(tx, conversationId)
  const message = await findMessage(tx, params.message_id)
  if (!message || !numbers) throw new ApiError('not_found')
  return { message, place, numbers, changed: { conversationId, byId: viewer.id, otherId, request } }
}

async function viewOf(deps: Deps, viewerId: string, { message, place }: Locked): Promise<MessageView> {
  const reading = { viewer: viewerId, conversation: place.conversationId }
  const facts = await factsOfMessage(deps.db, reading, message.seq)
  const [view] = facts ? await messageViews(deps, viewerId, [facts]) : []
  if (!view) throw new ApiError('not_found')
  return view
}

/** Counts the change of a message that both see, and publishes it. */
async function changeForBoth(
  unit: Unit,
  { place, changed }: Locked,
  apply: (change: number) => Promise<void>,
): Promise<void> {
  const numbers = await countChange(unit.tx, place.conversationId, { isMessage: false })
  await apply(numbers.lastChange)
  publishToBoth(unit, changed, numbers)
}

export async function unsend(deps: Deps, call: MessageCall): Promise<MessageView> {
  const { viewer } = call
  const locked = await deps.transaction(async (unit) => {
    const found = await lockMessage(unit, call)
    const { message, place } = found
    if (message.senderId !== viewer.id) throw new ApiError('forbidden')
    if (message.unsentAt !== null) return found
    if (deps.clock() - message.sentAt.getTime() > UNSEND_MS) throw new ApiError('forbidden')
    await subtractUnread(unit.tx, message, place.otherId)
    await changeForBoth(unit, found, (change) => setUnsent(unit.tx, message.id, change, deps.clock()))
    await unindexMessage(unit.tx, message.id)
    for (const mediaId of await detachFromMessage(unit.tx, message.id))
      await unit.enqueue('media.remove', { mediaId })
    publishUnread(unit, deps.db, place.otherId)
    return found
  })
  return viewOf(deps, viewer.id, locked)
}

/** Hides a message from the viewer alone. The other person gets no message of it, and sees no change. */
export async function hide(deps: Deps, call: MessageCall): Promise<void> {
  await deps.transaction(async (unit) => {
    const { message, place, changed, numbers } = await lockMessage(unit, call)
    const { conversationId } = place
    const hiddenAt = new Date(deps.clock())
    const own = { messageId: message.id, userId: call.viewer.id, conversationId, hiddenAt }
    if (await isHidden(unit.tx, own.messageId, own.userId)) return
    await hideFrom(unit.tx, own)
    await unindexMessage(unit.tx, own.messageId, own.userId)
    publishToSelf(unit, changed, numbers)
  })
}

/** @param reaction undefined removes the viewer's reaction */
export async function react(
  deps: Deps,
  call: MessageCall,
  reaction: Reaction | undefined,
): Promise<MessageView> {
  const { viewer } = call
  const locked = await deps.transaction(async (unit) => {
    const found = await lockMessage(unit, call)
    const { message, place } = found
    if (reaction !== undefined) {
      if (message.unsentAt !== null) throw new ApiError('gone')
      await requireOpen(deps, unit, viewer.id, place.otherId)
    }
    if (await setReaction(unit.tx, message.id, viewer.id, reaction))
      await changeForBoth(unit, found, (change) => setChange(unit.tx, message.id, change))
    return found
  })
  return viewOf(deps, viewer.id, locked)
}

/** A reaction is for conversations in which both take part: it is no way around a message request. */
async function requireOpen({ clock }: Deps, { tx }: Unit, viewerId: string, otherId: string): Promise<void> {
  const contact = await contactOf(tx, viewerId, otherId, clock())
  const own = contact?.conversation?.mine
  const isOpen = contact && mayWrite(writingOf(contact, false)) === 'open'
  if (!isOpen || !own || !takesPart(own)) throw new ApiError('forbidden')
}
