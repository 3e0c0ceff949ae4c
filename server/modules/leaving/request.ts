// Requests an account deletion, and cancels it; each sends its email in the same transaction.
import { LEAVING_MS, type LeavingReason } from '#contract/accounts/leaving.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { type Viewer } from '#server/http/viewer.ts'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import type { Mailbox } from '#server/rules/email.ts'
import { addDeletion, type Leaving, removeDeletion } from '#server/store/accounts/leaving.ts'
import { removeSessions } from '#server/store/accounts/sessions.ts'

const recipientOf = ({ email, name }: Mailbox): Mailbox => ({ email, name })

export interface Asked {
  readonly reason: LeavingReason
  readonly note: string
}

/** The session that asks goes on: in it the person sees what will happen, and can take it back. */
export async function askFlow(deps: Deps, viewer: Viewer, { reason, note }: Asked): Promise<Leaving> {
  const now = deps.clock()
  const leaving = { requestedAt: new Date(now), dueAt: new Date(now + LEAVING_MS) }
  const secret = newToken()
  await deps.commit(async (tx, after) => {
    const row = { ...leaving, userId: viewer.id, reason, note, undoHash: hashToken(secret) }
    if (!(await addDeletion(tx, row))) throw new ApiError('leaving')
    await removeSessions(tx, viewer.id, viewer.sessionId)
    after.end({ is: 'person', userId: viewer.id })
    await deps.outbox.enqueue(tx, recipientOf(viewer), {
      is: 'deletion_asked',
      due: leaving.dueAt.getTime(),
      undoUrl: `${deps.settings.publicUrl}/user/delete-account/undo?token=${secret}`,
    })
    after.wake('letter.send')
  })
  return leaving
}

/** @returns whether there was something to take back */
export async function undoFlow(deps: Deps, by: Parameters<typeof removeDeletion>[1]): Promise<boolean> {
  const leaver = await deps.db.transaction(async (tx) => {
    const it = await removeDeletion(tx, by)
    if (it) await deps.outbox.enqueue(tx, recipientOf(it), { is: 'deletion_undone' })
    return it
  })
  if (!leaver) return false
  deps.jobs.wake('letter.send')
  return true
}
