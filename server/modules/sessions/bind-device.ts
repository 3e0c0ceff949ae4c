// Binds a session to the device cookie of its browser.
import type { FastifyRequest } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { issueDevice } from '#server/services/auth/device-cookie.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { rememberDevice } from '#server/store/accounts/remembered-devices.ts'
import { bindSession } from '#server/store/accounts/sessions.ts'

/**
 * Binds a session that has no device yet to the cookie that the browser sends. Without a cookie one is issued, with the
 * same id in two concurrent tabs. It is bound when the browser sends it, since the browser may drop it.
 */
export async function bindDevice(
  { db, clock }: Deps,
  request: FastifyRequest,
  { id, sessionId, deviceId }: Viewer,
): Promise<void> {
  if (deviceId !== null) return
  if (request.deviceId === null) return issueDevice(request, sessionId)
  await bindSession(db, sessionId, request.deviceId)
  await rememberDevice(db, id, request.deviceId, clock())
}
