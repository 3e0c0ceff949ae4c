// What a member changes in their own side of a conversation.
import type { FastifyRequest } from 'fastify'
import { MAX_PINNED } from '#contract/limits.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { type Contact, type Conversation, takesPart } from '#server/store/messages/contacts.ts'
import {
  clearFor,
  countChange,
  countPinned,
  lockConversation,
  moveForward,
  type Numbers,
  recountUnread,
  setMember,
} from '#server/store/messages/conversations.ts'
import { unindexCleared } from '#server/store/messages/message-index.ts'
import { lockUser } from '#server/store/people/people.ts'
import { type Changed, publishToBoth, publishToOther, publishToSelf, publishUnread } from './live.ts'
import { revealMedia } from './media-state.ts'
import { showsMarks, visibleContact } from './views.ts'

/** A request about the conversation with one person. */
export interface MemberCall {
  readonly viewer: { readonly id: string }
  readonly params: { readonly user_id: string }
  readonly request: FastifyRequest
}

interface Locked {
  readonly contact: Contact
  readonly conversation: Conversation
  readonly changed: Changed
}

/**
 * The viewer's conversation, while no other change of it is possible.
 * @throws ApiError `not_found` when there is none that the viewer sees
 */
async function lockOwn(deps: Deps, { tx }: Unit, { viewer, params, request }: MemberCall): Promise<Locked> {
  const ports = { db: tx, clock: deps.clock }
  const id = (await visibleContact(ports, viewer.id, params.user_id)).conversation?.id
  if (id === undefined) throw new ApiError('not_found')
  await lockConversation(tx, id)
  const contact = await visibleContact(ports, viewer.id, params.user_id)
  if (!contact.conversation) throw new ApiError('not_found')
  const changed = { conversationId: id, byId: viewer.id, otherId: params.user_id, request }
  return { contact, conversation: contact.conversation, changed }
}

const changeForBoth = (unit: Unit, { conversation }: Locked): Promise<Numbers> =>
  countChange(unit.tx, conversation.id, { isMessage: false })

/**
 * Moves the viewer's positions forward. Only where the other person sees it, it counts as a change, and they get a live
 * message; otherwise the numbers would give it away.
 */
export async function moveTo(
  deps: Deps,
  call: MemberCall,
  what: 'read' | 'delivered',
  seq: number,
): Promise<void> {
  await deps.transaction(async (unit) => {
    const locked = await lockOwn(deps, unit, call)
    const { conversation, changed, contact } = locked
    const to = Math.min(seq, conversation.lastSeq)
    const position = { readSeq: what === 'read' ? to : 0, deliveredSeq: to }
    if (!(await moveForward(unit.tx, conversation.id, call.viewer.id, position))) return
    const numbers = showsMarks(contact) ? await changeForBoth(unit, locked) : conversation
    if (showsMarks(contact)) publishToOther(unit, changed, numbers)
    if (what === 'delivered') return
    await recountUnread(unit.tx, conversation.id, call.viewer.id)
    publishToSelf(unit, changed, numbers)
    publishUnread(unit, deps.db, call.viewer.id)
  })
}

export interface MemberChange {
  readonly pinned?: boolean | undefined
  readonly muted?: boolean | undefined
  readonly archived?: boolean | undefined
}

/** Pins, mutes or archives. An archived conversation is not pinned. */
export async function change(deps: Deps, call: MemberCall, to: MemberChange): Promise<void> {
  const { viewer } = call
  await deps.transaction(async (unit) => {
    // Conversations that are pinned at once are counted one after the other.
    if (to.pinned) await lockUser(unit.tx, viewer.id)
    const { conversation, changed } = await lockOwn(deps, unit, call)
    const isPinned = conversation.mine.pinnedAt !== null
    if (to.pinned && !isPinned && (await countPinned(unit.tx, viewer.id)) >= MAX_PINNED)
      throw new ApiError('conflict')
    const pinnedAt = pinnedAfter(conversation, to, deps.clock())
    await setMember(unit.tx, conversation.id, viewer.id, {
      pinnedAt,
      muted: to.muted ?? conversation.mine.muted,
      archived: pinnedAt === null && (to.archived ?? conversation.mine.archived),
    })
    publishToSelf(unit, changed, conversation)
    publishUnread(unit, deps.db, viewer.id)
  })
}

function pinnedAfter({ mine }: Conversation, to: MemberChange, now: number): Date | null {
  if (to.pinned) return mine.pinnedAt ?? new Date(now)
  return to.pinned === false || to.archived ? null : mine.pinnedAt
}

export async function acceptRequest(deps: Deps, call: MemberCall): Promise<void> {
  const { viewer } = call
  await deps.transaction(async (unit) => {
    const locked = await lockOwn(deps, unit, call)
    const { conversation, changed } = locked
    if (conversation.mine.state === 'accepted') return
    await setMember(unit.tx, conversation.id, viewer.id, { state: 'accepted' })
    await recountUnread(unit.tx, conversation.id, viewer.id)
    if (!takesPart(conversation.mine)) await revealMedia(unit.tx, conversation.id, changed.otherId)
    publishToBoth(unit, changed, await changeForBoth(unit, locked))
    publishUnread(unit, deps.db, viewer.id)
  })
}

/** Declines a request. Its sender gets no message of it, and sees no change. */
export async function declineRequest(deps: Deps, call: MemberCall): Promise<void> {
  const { viewer } = call
  await deps.transaction(async (unit) => {
    const { conversation, changed } = await lockOwn(deps, unit, call)
    const { state } = conversation.mine
    if (state === 'declined') return
    if (state !== 'requested') throw new ApiError('conflict')
    await setMember(unit.tx, conversation.id, viewer.id, { state: 'declined', unread: 0 })
    publishToSelf(unit, changed, conversation)
  })
}

/** Deletes all present messages for the viewer alone. */
export async function clear(deps: Deps, call: MemberCall): Promise<void> {
  const { viewer } = call
  await deps.transaction(async (unit) => {
    const { conversation, changed } = await lockOwn(deps, unit, call)
    await clearFor(unit.tx, conversation.id, viewer.id, conversation.lastSeq, deps.clock())
    await unindexCleared(unit.tx, conversation.id, viewer.id, conversation.lastSeq)
    publishToSelf(unit, changed, conversation)
    publishUnread(unit, deps.db, viewer.id)
  })
}
