// Delivers a broadcast: each recipient gets it once, in a transaction of their own.
import { OutcomeUnknown } from '#server/services/transaction/unit-of-work.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { isAttachable } from '#server/services/posts/post-card.ts'
import { reachesMember } from '#server/rules/messages/may-write.ts'
import type { JobData } from '#server/store/jobs.ts'
import {
  type BroadcastRecipient,
  type BroadcastRow,
  claimRecipient,
  countFailure,
  endBroadcastBatch,
  findBroadcast,
  holdRunning,
  isMemberOfAny,
  setHandled,
  setStopped,
} from '#server/store/messages/broadcasts.ts'
import { lockPair } from '#server/store/people/blocks.ts'
import { acceptMessage, lockedContact } from './send.ts'
import { writingOf } from './views.ts'

/** Recipients whom one job handles; other broadcasts get their turn after it. */
const BATCH_SIZE = 100
/** Deliveries at once, each with a connection of the database. */
const LANES = 4
/** A recipient whose delivery has failed this often is skipped, so that it holds up no others. */
const MAX_ATTEMPTS = 5
/** Wait when another runner handles all who are left, s. */
const WAIT_SECONDS = 5

/**
 * Handles a batch of recipients and enqueues the next one. Killed in the middle or run twice, it continues with those who
 * wait.
 * @throws the last error of a delivery, after all others were handled
 */
export async function deliverBroadcast(
  deps: Deps,
  { broadcastId, batch }: JobData['message.broadcast'],
): Promise<void> {
  const { db, clock } = deps
  const broadcast = await findBroadcast(db, broadcastId)
  if (!broadcast || broadcast.batch !== batch) return
  if (!(await hasContent(deps, broadcast)))
    return deps.transaction(({ tx }) => setStopped(tx, broadcastId, clock()))
  const { handled, error } = await handleBatch(deps, broadcastId)
  await deps.transaction(async ({ tx, enqueue }) => {
    const next = await endBroadcastBatch(tx, broadcastId, batch, clock())
    if (next === undefined) return
    const delay = handled === 0 ? { seconds: WAIT_SECONDS } : undefined
    await enqueue('message.broadcast', { broadcastId, batch: next }, delay)
  })
  if (error) throw error
}

/** A post that was deleted since leaves nothing to deliver where there is no text. */
const hasContent = async (
  { db, clock }: Deps,
  { creatorId, content, postId }: BroadcastRow,
): Promise<boolean> => content !== '' || postId === null || isAttachable(db, creatorId, postId, clock())

/** @throws when the store fails, after the deliveries that had begun */
async function handleBatch(
  deps: Deps,
  broadcastId: string,
): Promise<{ handled: number; error: Error | undefined }> {
  let handled = 0
  let error: Error | undefined
  async function handleLane(): Promise<void> {
    while (handled < BATCH_SIZE) {
      const result = await handleNext(deps, broadcastId)
      if (result === 'none') return
      if (result !== 'handled') error = result
      handled++
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, handleLane))
  for (const it of lanes) if (it.status === 'rejected') throw it.reason
  return { handled, error }
}

/**
 * Handles one recipient. `none`: it was stopped, or no one waits whom no other runner handles.
 * @returns the error of a delivery, which is counted
 * @throws when the store fails
 */
async function handleNext(deps: Deps, broadcastId: string): Promise<'handled' | 'none' | Error> {
  let claimed: BroadcastRecipient | undefined
  try {
    return await deps.transaction(async (unit) => {
      claimed = undefined
      const broadcast = await holdRunning(unit.tx, broadcastId)
      claimed = broadcast && (await claimRecipient(unit.tx, broadcastId))
      if (!broadcast || !claimed) return 'none'
      const isDelivered = await deliver(deps, unit, broadcast, claimed)
      await setHandled(unit.tx, claimed.messageId, isDelivered ? 'delivered' : 'skipped')
      return 'handled'
    })
  } catch (error) {
    if (!claimed || error instanceof OutcomeUnknown) throw error
    await countFailure(deps.db, claimed.messageId, MAX_ATTEMPTS)
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** @returns false for a recipient whom it does not reach any more */
async function deliver(
  deps: Deps,
  unit: Unit,
  { creatorId: senderId, planIds, content, postId }: BroadcastRow,
  { userId: recipientId, messageId }: BroadcastRecipient,
): Promise<boolean> {
  const { tx } = unit
  await lockPair(tx, senderId, recipientId)
  if (!(await isMemberOfAny(tx, planIds, recipientId, deps.clock()))) return false
  const people = { senderId, recipientId }
  const contact = await lockedContact(deps, unit, people)
  if (!reachesMember(writingOf(contact, false))) return false
  const body = { id: messageId, content, media: [], digests: [], reply_to: null, post_id: postId }
  const message = { ...people, body, request: undefined, media: [], isBroadcast: true }
  await acceptMessage(deps, unit, message, contact, 'open')
  return true
}
