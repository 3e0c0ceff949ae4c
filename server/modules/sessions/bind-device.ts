// Binds a session to the device cookie of its browser, and gives a browser without one a cookie.
import type { FastifyRequest } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { issueDevice } from '#server/services/auth/device-cookie.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { rememberDevice } from '#server/store/accounts/remembered-devices.ts'
import { bindSession } from '#server/store/accounts/sessions.ts'

/**
 * For a session that no browser has shown a cookie in. It is bound to the cookie that the browser shows; one that is
 * only issued may never be kept. Two tabs that ask at the same moment are issued the same id.
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
