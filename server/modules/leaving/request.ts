// Requests an account deletion, and cancels it; each sends its email in the same transaction.
import { LEAVING_MS, type LeavingReason } from '#contract/accounts/leaving.ts'
import type { MembershipNote, PlanName } from '#contract/memberships/memberships.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { type Viewer } from '#server/http/viewer.ts'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import { stopChargesOfMember } from '#server/services/memberships/stop.ts'
import { leavingMoney } from '#server/services/people/departed-payee.ts'
import type { Mailbox } from '#server/rules/email.ts'
import { addDeletion, type Leaving, removeDeletion } from '#server/store/accounts/leaving.ts'
import { findBankAccount } from '#server/store/payouts/bank-accounts.ts'
import { removeSessions } from '#server/store/accounts/sessions.ts'
import {
  countCharged,
  countStopped,
  notesOfMember,
  notesStoppedByLeaving,
} from '#server/store/memberships/notes.ts'

const recipientOf = ({ email, name }: Mailbox): Mailbox => ({ email, name })

export interface DeletionRequest {
  readonly reason: LeavingReason
  readonly note: string
}

/** Requests a deletion. The requesting session continues, so that the person can see and cancel it. */
export async function scheduleDeletion(
  deps: Deps,
  viewer: Viewer,
  { reason, note }: DeletionRequest,
): Promise<Leaving> {
  const now = deps.clock()
  const leaving = { requestedAt: new Date(now), dueAt: new Date(now + LEAVING_MS) }
  const secret = newToken()
  await deps.transaction(async (unit) => {
    const { tx, email, endConnections, enqueue } = unit
    const row = { ...leaving, userId: viewer.id, reason, note, undoHash: hashToken(secret) }
    if (!(await addDeletion(tx, row))) throw new ApiError('leaving')
    const plans = (await notesOfMember(tx, viewer.id)).filter((it) => it.renews).map(nameOf)
    const members = await countCharged(tx, viewer.id, null)
    await stopChargesOfMember(deps, unit, viewer.id)
    await enqueue('membership.stops', {})
    await removeSessions(tx, viewer.id, viewer.sessionId)
    endConnections({ is: 'person', userId: viewer.id })
    const account = await findBankAccount(tx, viewer.id)
    const money = await leavingMoney(tx, viewer.id, account !== undefined)
    await email(recipientOf(viewer), {
      is: 'deletion_asked',
      due: leaving.dueAt.getTime(),
      undoUrl: `${deps.settings.publicUrl}/user/delete-account/undo#token=${secret}`,
      plans,
      members,
      ...(money && { money }),
    })
  })
  return leaving
}

/**
 * Cancels a deletion.
 * @returns the memberships whose charges it had stopped, which go on only by the member's own act; undefined without a deletion
 */
export async function revokeDeletion(
  deps: Deps,
  by: Parameters<typeof removeDeletion>[1],
): Promise<MembershipNote[] | undefined> {
  return deps.transaction(async ({ tx, email }) => {
    const leaver = await removeDeletion(tx, by)
    if (!leaver) return undefined
    const stopped = await notesStoppedByLeaving(tx, leaver.id, leaver.requestedAt)
    const members = await countStopped(tx, leaver.id, leaver.requestedAt)
    await email(recipientOf(leaver), { is: 'deletion_undone', plans: stopped.map(nameOf), members })
    return stopped
  })
}

const nameOf = ({ creator, plan }: MembershipNote): PlanName => ({ creator, plan })
