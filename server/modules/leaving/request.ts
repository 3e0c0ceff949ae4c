// Requests an account deletion, and cancels it; each sends its email in the same transaction.
import { LEAVING_MS, type LeavingReason } from '#contract/accounts/leaving.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { type Viewer } from '#server/http/viewer.ts'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import { stopChargesOfMember } from '#server/services/memberships/stop.ts'
import type { Mailbox } from '#server/rules/email.ts'
import { addDeletion, type Leaving, removeDeletion } from '#server/store/accounts/leaving.ts'
import { removeSessions } from '#server/store/accounts/sessions.ts'

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
    await stopChargesOfMember(deps, unit, viewer.id)
    await enqueue('membership.stops', {})
    await removeSessions(tx, viewer.id, viewer.sessionId)
    endConnections({ is: 'person', userId: viewer.id })
    await email(recipientOf(viewer), {
      is: 'deletion_asked',
      due: leaving.dueAt.getTime(),
      undoUrl: `${deps.settings.publicUrl}/user/delete-account/undo#token=${secret}`,
    })
  })
  return leaving
}

/** Cancels a deletion. @returns whether there was one */
export async function revokeDeletion(deps: Deps, by: Parameters<typeof removeDeletion>[1]): Promise<boolean> {
  return deps.transaction(async ({ tx, email }) => {
    const leaver = await removeDeletion(tx, by)
    if (leaver) await email(recipientOf(leaver), { is: 'deletion_undone' })
    return leaver !== undefined
  })
}
