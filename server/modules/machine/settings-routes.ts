// Routes of admins for settings at runtime, their history, and invitations.
import type { FastifyInstance } from 'fastify'
import { addInvitations, listInvitations, revokeInvitation } from '#contract/accounts/invitations.ts'
import {
  changeRuntimeSettings,
  getRuntimeSettings,
  listSettingChanges,
} from '#contract/administration/runtime-settings.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import { listInvitationRows } from '#server/store/accounts/invitations.ts'
import { listSettingChanges as listChanges } from '#server/store/staff/runtime-settings.ts'
import { invitationView, makeInvitations, revokeInvitationOf } from './invitations.ts'
import { changeSettings, settingsView } from './settings.ts'

const PAGE = 30

export function settingRoutesOfStaff(app: FastifyInstance, deps: Deps): void {
  const { db, clock, runtime } = deps

  memberRoute(app, getRuntimeSettings, async () => settingsView(await runtime.values(), runtime.usual))

  memberRoute(app, changeRuntimeSettings, async ({ viewer, body, request }) => {
    validatedOf(viewer, clock())
    const values = await changeSettings(deps, body, { actorId: viewer.id, ip: request.ip })
    return settingsView(values, runtime.usual)
  })

  memberRoute(app, listSettingChanges, async ({ query }) => {
    const rows = await listChanges(db, timeCursor.read(query.cursor), PAGE + 1)
    const { shown, next } = timeCursor.pageOf(rows, PAGE, (row) => row)
    const changes = shown.map(({ id, name, from, to, actorId, actorName, at }) => ({
      id,
      name,
      from,
      to,
      by: { id: actorId, name: actorName },
      at: at.toISOString(),
    }))
    return { changes, next }
  })

  memberRoute(app, listInvitations, async ({ query }) => {
    const rows = await listInvitationRows(db, timeCursor.read(query.cursor), PAGE + 1)
    const { shown, next } = timeCursor.pageOf(rows, PAGE, (row) => ({ at: row.madeAt, id: row.id }))
    return { invitations: shown.map(invitationView), next }
  })

  memberRoute(app, addInvitations, async ({ viewer, body, request }) => {
    validatedOf(viewer, clock())
    return { invitations: await makeInvitations(deps, body, { actorId: viewer.id, ip: request.ip }) }
  })

  memberRoute(app, revokeInvitation, async ({ viewer, params, request }) => {
    validatedOf(viewer, clock())
    const by = { actorId: viewer.id, ip: request.ip }
    return { data: await revokeInvitationOf(deps, params.invitation_id, by) }
  })
}
