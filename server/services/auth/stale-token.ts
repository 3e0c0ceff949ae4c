// Ends a session whose exchanged token is used on another device, and emails its owner.
import type { FastifyRequest } from 'fastify'
import type { Ending } from '#contract/realtime/channels.ts'
import type { Places } from '#server/adapters/geoip.ts'
import type { Db } from '#server/store/database.ts'
import { findUser } from '#server/store/people/people.ts'
import { removeSession, type StaleSession } from '#server/store/accounts/sessions.ts'
import { deviceNamed, deviceText } from './device-name.ts'
import { networkOf } from '#server/http/limits.ts'

interface SessionEnded {
  readonly is: 'session_ended'
  readonly device: string
  readonly place: string
  readonly at: number
}

/** What ending a session needs. */
export interface Ender {
  readonly clock: () => number
  readonly places: Places
  readonly commit: (
    work: (tx: Db, after: { end(ending: Ending): void; wake(name: 'letter.send'): void }) => Promise<void>,
  ) => Promise<void>
  readonly outbox: {
    enqueue(tx: Db, to: { email: string; name: string }, email: SessionEnded): Promise<void>
  }
}

/**
 * Whether a request comes from the browser that last took a new token of this session. A tab that slept through the
 * exchange does, and so does a request that was on its way. Device cookies decide. Without any, the browser's name
 * decides: a phone changes networks. Where one of the two has a cookie, name and network must both be the same.
 */
export function isSameDevice(session: StaleSession, request: FastifyRequest): boolean {
  const { deviceId, ip, headers } = request
  if (session.deviceId !== null && deviceId !== null) return session.deviceId === deviceId
  const sameName = deviceNamed(session.device) === deviceNamed(deviceText(headers['user-agent']))
  if (session.deviceId === null && deviceId === null) return sameName
  return sameName && networkOf(session.ip) === networkOf(ip)
}

/** Of requests that come at the same moment one ends the session, and one email is sent. */
export async function endStolen(
  { clock, places, commit, outbox }: Ender,
  { sessionId, userId }: StaleSession,
  request: FastifyRequest,
): Promise<void> {
  const { ip } = request
  const device = deviceNamed(deviceText(request.headers['user-agent']))
  await commit(async (tx, after) => {
    const user = await findUser(tx, userId)
    if (!user || !(await removeSession(tx, userId, sessionId))) return
    after.end({ is: 'session', userId, sessionId })
    const email = { is: 'session_ended', device, place: places.of(ip) ?? ip, at: clock() } as const
    await outbox.enqueue(tx, { email: user.email, name: user.name }, email)
    after.wake('letter.send')
  })
}
