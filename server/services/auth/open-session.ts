// Opens a session for an authenticated person: a new token, device and geographic place.
import type { FastifyRequest } from 'fastify'
import type { Role } from '#contract/administration/role-names.ts'
import { facePath } from '#contract/paths.ts'
import type { SessionReply, SessionUser } from '#contract/accounts/session.ts'
import type { Places } from '#server/adapters/geoip.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import { blocklistVersion } from '#server/store/people/blocklist-version.ts'
import { sendSuspensionLink, type SuspensionLinkPorts } from '#server/services/auth/decision-link.ts'
import type { EmailingUnit } from '#server/services/email/outbox.ts'
import type { Transaction, UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import { newId } from '#contract/ids.ts'
import { recordDevice } from '#server/store/accounts/devices.ts'
import { stopRecoveriesOf } from '#server/store/accounts/recoveries.ts'
import { isIdentified } from '#server/store/identity/identity.ts'
import { findDeletion } from '#server/store/accounts/leaving.ts'
import { accountState, findPicture } from '#server/store/people/people.ts'
import { rememberDevice } from '#server/store/accounts/remembered-devices.ts'
import { addSession, type SessionMethod } from '#server/store/accounts/sessions.ts'
import { issueDevice } from './device-cookie.ts'
import { deviceNamed, deviceOf, deviceText } from './device-name.ts'
import { ApiError } from '#server/http/errors.ts'
import { hashToken, newToken } from './authenticate.ts'

/** The account for which a session is opened. */
export interface SessionAccount {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
}

export interface NewSession {
  readonly user: SessionAccount
  readonly method: SessionMethod
  /** Whether a code of the second factor followed the password. */
  readonly provenTwice?: boolean
  /** The password reset that this browser has proven, and that the session continues. */
  readonly resetId?: string
}

/** The account as its own screens show it. */
export async function sessionUserOf(
  { db, secrets }: Pick<SessionPorts, 'db' | 'secrets'>,
  user: SessionAccount,
): Promise<SessionUser> {
  const avatar = await findPicture(db, user.id, 'avatar')
  const leaving = await findDeletion(db, user.id)
  // A MAC, since from the bare version a person could find out by trial who has blocked them.
  const blocklist = secrets.mac('apart', `${user.id} ${await blocklistVersion(db, user.id)}`)
  const { id, email, name, role } = user
  return {
    id,
    email,
    name,
    role,
    avatar_url: avatar && facePath(avatar),
    identified: await isIdentified(db, id),
    apart: blocklist,
    ...(leaving && { deletion_due: leaving.dueAt.toISOString() }),
  }
}

/** The dependencies of opening a session. */
export interface SessionPorts extends SuspensionLinkPorts {
  readonly clock: () => number
  readonly places: Places
  readonly secrets: Secrets
  readonly transaction: Transaction<SignInUnit>
}

/** The functions of the unit of work that a sign-in uses. */
export type SignInUnit = Pick<UnitOfWork, 'tx'> & EmailingUnit

/**
 * Opens a session. Its token is always a new one; a token that the caller sends is never adopted.
 * Emails the person about a device that is new to an account that has others.
 * @param unit the unit of work it belongs to, if there is one
 * @throws ApiError `suspended` for a suspended account: only its proven owner learns of the suspension, and receives the link of
 *   its decision by email
 */
export async function openSession(
  ports: SessionPorts,
  request: FastifyRequest,
  { user, method, provenTwice = false, resetId }: NewSession,
  unit?: SignInUnit,
): Promise<SessionReply> {
  const { db, clock, places, secrets, transaction } = ports
  // In a unit of work the account is a new one, and no other connection may be asked.
  if (!unit && (await accountState(db, user.id)) === 'suspended') {
    await sendSuspensionLink(ports, user)
    throw new ApiError('suspended')
  }
  const token = newToken()
  const now = clock()
  const { ip } = request
  const device = deviceText(request.headers['user-agent'])
  const place = places.of(ip)
  const row = {
    tokenHash: hashToken(token),
    userId: user.id,
    method,
    passkeyAt: method === 'passkey' ? new Date(now) : null,
    device,
    ip,
    place,
    resetId: resetId ?? null,
    // The id that the browser sent, not the one issued below: a browser without cookies has none.
    deviceId: request.deviceId,
  }
  const deviceId = request.deviceId ?? newId()
  issueDevice(request, deviceId)
  const addTo = async ({ tx, email }: SignInUnit): Promise<void> => {
    if ((await accountState(tx, user.id)) === 'suspended') throw new ApiError('suspended')
    await addSession(tx, row, now)
    // Who signs in so is not locked out: a recovery that another person may have begun ends.
    if (provenTwice || method === 'passkey') await stopRecoveriesOf(tx, user.id, now)
    await rememberDevice(tx, user.id, deviceId, now)
    const { name, kind } = deviceOf(device)
    if ((await recordDevice(tx, user.id, `${kind} ${name}`, now)) !== 'new') return
    const message = { is: 'new_sign_in', device: deviceNamed(device), place: place ?? ip, at: now } as const
    await email({ email: user.email, name: user.name }, message)
  }
  await (unit ? addTo(unit) : transaction(addTo))
  return {
    token,
    token_type: 'Bearer',
    user: await sessionUserOf({ db: unit?.tx ?? db, secrets }, user),
  }
}
