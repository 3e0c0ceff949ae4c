// Routes of admins for the roles of the operator's staff.
import type { FastifyInstance } from 'fastify'
import { mayUse } from '#contract/administration/areas.ts'
import { areaOfWaiting, getDesk, listStaff, setRole, waitingKinds } from '#contract/administration/staff.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import { listStaffRows } from '#server/store/staff/staff.ts'
import { countWaiting } from '#server/store/staff/waiting.ts'
import { changeRole } from './roles.ts'

export function staffRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, audit } = deps
  memberRoute(app, getDesk, async ({ viewer: { id, role } }) => {
    if (role === 'member') throw new ApiError('not_found')
    const kinds = waitingKinds.filter((it) => mayUse(role, areaOfWaiting[it]))
    return { role, waiting: await countWaiting(db, kinds, id) }
  })
  memberRoute(app, listStaff, async ({ viewer, request }) => {
    const staff = await listStaffRows(db)
    const detail = { people: staff.map((it) => it.id) }
    const entry = {
      actorId: viewer.id,
      act: 'staff.list',
      subjectKind: 'user',
      subjectId: viewer.id,
    } as const
    await audit({ ...entry, detail, ip: request.ip })
    return { staff }
  })
  memberRoute(app, setRole, async ({ viewer, body, request }) => {
    validatedOf(viewer, clock())
    return { data: await changeRole(deps, { by: viewer.id, ...body, ip: request.ip }) }
  })
}
