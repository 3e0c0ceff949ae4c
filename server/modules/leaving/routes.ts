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
import { revokeDeletion, scheduleDeletion } from './request.ts'

const viewOf = ({ requestedAt, dueAt }: Leaving) => ({
  requested_at: requestedAt.toISOString(),
  due_at: dueAt.toISOString(),
})

export function leavingRoutes(app: FastifyInstance, deps: Deps): void {
  memberRoute(app, getDeletion, async ({ viewer }) => {
    const leaving = await findDeletion(deps.db, viewer.id)
    return { leaving: leaving ? viewOf(leaving) : null }
  })

  memberRoute(app, requestDeletion, async ({ viewer, body, request }) => {
    validatedOf(viewer, deps.clock())
    const leaving = await scheduleDeletion(deps, viewer, body)
    // The entry has the reason, and not the person.
    request.log.info({ reason: body.reason }, 'a deletion was asked for')
    return { leaving: viewOf(leaving) }
  })

  memberRoute(app, cancelDeletion, async ({ viewer }) => {
    if (!(await revokeDeletion(deps, { userId: viewer.id }))) throw new ApiError('gone')
    return { undone: true as const }
  })

  route(app, undoDeletionByLink, async ({ body }) => {
    if (!(await revokeDeletion(deps, { undoHash: hashToken(body.token) }))) throw new ApiError('link_invalid')
    return { undone: true as const }
  })
}
