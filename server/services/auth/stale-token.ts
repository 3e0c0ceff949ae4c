// Ends a session whose exchanged token is used on another device, and emails its owner.
import type { FastifyRequest } from 'fastify'
import type { Places } from '#server/adapters/geoip.ts'
import type { EmailingUnit } from '#server/services/email/outbox.ts'
import type { Transaction, UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import { findUser } from '#server/store/people/people.ts'
import { removeSession, type StaleSession } from '#server/store/accounts/sessions.ts'
import { deviceNamed, deviceText } from './device-name.ts'
import { networkOf } from '#server/http/limit-keys.ts'

/** The dependencies of ending a session with a copied token. */
export interface StaleTokenPorts {
  readonly clock: () => number
  readonly places: Places
  readonly transaction: Transaction<Pick<UnitOfWork, 'tx' | 'endConnections'> & EmailingUnit>
}

/**
 * Whether a request comes from the browser that received this session's newest token, whose suspended tabs may still send
 * the old one. Device cookies decide. If neither has a cookie, the browser's name decides, since a phone changes networks.
 * If only one of the two has a cookie, name and network must both be the same.
 */
export function isSameDevice(session: StaleSession, request: FastifyRequest): boolean {
  const { deviceId, ip, headers } = request
  if (session.deviceId !== null && deviceId !== null) return session.deviceId === deviceId
  const sameName = deviceNamed(session.device) === deviceNamed(deviceText(headers['user-agent']))
  if (session.deviceId === null && deviceId === null) return sameName
  return sameName && networkOf(session.ip) === networkOf(ip)
}

/** Ends the session and emails its owner; of concurrent requests only one does so. */
export async function endStolen(
  { clock, places, transaction }: StaleTokenPorts,
  { sessionId, userId }: StaleSession,
  request: FastifyRequest,
): Promise<void> {
  const { ip } = request
  const device = deviceNamed(deviceText(request.headers['user-agent']))
  await transaction(async ({ tx, endConnections, email }) => {
    const user = await findUser(tx, userId)
    if (!user || !(await removeSession(tx, userId, sessionId))) return
    endConnections({ is: 'session', userId, sessionId })
    const ended = { is: 'session_ended', device, place: places.of(ip) ?? ip, at: clock() } as const
    await email({ email: user.email, name: user.name }, ended)
  })
}
