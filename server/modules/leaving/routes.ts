// Routes of account deletion: state, request and cancellation.
import type { FastifyInstance } from 'fastify'
import {
  requestDeletion,
  getDeletion,
  cancelDeletion,
  undoDeletionByLink,
} from '#contract/accounts/leaving.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute, route } from '#server/http/route.ts'
import { hashToken } from '#server/services/auth/authenticate.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import { findDeletion, type Leaving } from '#server/store/accounts/leaving.ts'
import { countCharged, notesOfMember, notesStoppedByLeaving } from '#server/store/memberships/notes.ts'
import { boughtPosts } from '#server/store/payments/history.ts'
import { earningsOf } from './earnings.ts'
import { revokeDeletion, scheduleDeletion } from './request.ts'

const viewOf = ({ requestedAt, dueAt }: Leaving) => ({
  requested_at: requestedAt.toISOString(),
  due_at: dueAt.toISOString(),
})

export function leavingRoutes(app: FastifyInstance, deps: Deps): void {
  memberRoute(app, getDeletion, async ({ viewer }) => {
    const { db } = deps
    const leaving = await findDeletion(db, viewer.id)
    const members = await countCharged(db, viewer.id, leaving?.requestedAt ?? null)
    const earnings = await earningsOf(deps, viewer.id, leaving)
    const bought = await boughtPosts(db, viewer.id)
    const memberships = leaving
      ? await notesStoppedByLeaving(db, viewer.id, leaving.requestedAt)
      : await notesOfMember(db, viewer.id)
    return { leaving: leaving ? viewOf(leaving) : null, memberships, members, bought, earnings }
  })

  memberRoute(app, requestDeletion, async ({ viewer, body, request }) => {
    validatedOf(viewer, deps.clock())
    const leaving = await scheduleDeletion(deps, viewer, body)
    // The entry has the reason, and not the person.
    request.log.info({ reason: body.reason }, 'a deletion was asked for')
    return { leaving: viewOf(leaving) }
  })

  memberRoute(app, cancelDeletion, async ({ viewer }) => {
    const stopped = await revokeDeletion(deps, { userId: viewer.id })
    if (!stopped) throw new ApiError('gone')
    return { undone: true as const, stopped }
  })

  route(app, undoDeletionByLink, async ({ body }) => {
    const stopped = await revokeDeletion(deps, { undoHash: hashToken(body.token) })
    if (!stopped) throw new ApiError('link_invalid')
    return { undone: true as const, stopped }
  })
}
