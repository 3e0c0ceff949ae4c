// Opens a session for a person who has proven who they are: a new token, device and place.
import type { FastifyRequest } from 'fastify'
import { facePath } from '#contract/paths.ts'
import type { SessionReply, SessionUser } from '#contract/accounts/session.ts'
import type { Places } from '#server/adapters/geoip.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import { blocklistVersion } from '#server/store/people/blocklist-version.ts'
import type { EmailingUnit } from '#server/services/email/outbox.ts'
import type { Transaction, UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import type { Db } from '#server/store/database.ts'
import { newId } from '#contract/ids.ts'
import { noteDevice } from '#server/store/accounts/devices.ts'
import { isIdentified } from '#server/store/identity/identity.ts'
import { findDeletion } from '#server/store/accounts/leaving.ts'
import { accountState, findPicture } from '#server/store/people/people.ts'
import { rememberDevice } from '#server/store/accounts/remembered-devices.ts'
import { addSession, type SessionMethod } from '#server/store/accounts/sessions.ts'
import { issueDevice } from './device-cookie.ts'
import { deviceNamed, deviceOf, deviceText } from './device-name.ts'
import { ApiError } from '#server/http/errors.ts'
import { hashToken, newToken } from './authenticate.ts'

export interface Known {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: 'member' | 'admin'
}

export interface Opening {
  readonly user: Known
  readonly method: SessionMethod
  /** The password reset this browser has proven and takes along. */
  readonly resetId?: string
}

/** The person as their own screens show them. */
export async function sessionUserOf(
  { db, secrets }: Pick<Opener, 'db' | 'secrets'>,
  user: Known,
): Promise<SessionUser> {
  const avatar = await findPicture(db, user.id, 'avatar')
  const leaving = await findDeletion(db, user.id)
  // Keyed: from the sum alone one could try out who it is that has blocked them.
  const apart = secrets.mac('apart', `${user.id} ${await blocklistVersion(db, user.id)}`)
  const { id, email, name, role } = user
  return {
    id,
    email,
    name,
    role,
    avatar_url: avatar && facePath(avatar),
    identified: await isIdentified(db, id),
    apart,
    ...(leaving && { deletion_due: leaving.dueAt.toISOString() }),
  }
}

/** What opening a session needs of the world. */
export interface Opener {
  readonly db: Db
  readonly clock: () => number
  readonly places: Places
  readonly secrets: Secrets
  readonly transaction: Transaction<SignInUnit>
}

/** What the transaction of a sign-in does. */
export type SignInUnit = Pick<UnitOfWork, 'tx'> & EmailingUnit

/**
 * Opens a session. It always gets a token of our own making: one that a caller brings along is never taken on.
 * Emails the person about a device that is new to an account that has others.
 * @param unit the unit of work it belongs to, if there is one
 * @throws ApiError `suspended` for an account an admin has shut: only who has proven to be its person learns of it
 */
export async function openSession(
  { db, clock, places, secrets, transaction }: Opener,
  request: FastifyRequest,
  { user, method, resetId }: Opening,
  unit?: SignInUnit,
): Promise<SessionReply> {
  const token = newToken()
  const now = clock()
  const { ip } = request
  const device = deviceText(request.headers['user-agent'])
  const place = places.of(ip)
  const row = {
    tokenHash: hashToken(token),
    userId: user.id,
    method,
    device,
    ip,
    place,
    resetId: resetId ?? null,
    // What the browser has shown, not what it is given: one that keeps no cookies has none.
    deviceId: request.deviceId,
  }
  const deviceId = request.deviceId ?? newId()
  issueDevice(request, deviceId)
  const begin = async ({ tx, email }: SignInUnit): Promise<void> => {
    if ((await accountState(tx, user.id)) === 'suspended') throw new ApiError('suspended')
    await addSession(tx, row, now)
    await rememberDevice(tx, user.id, deviceId, now)
    const { name, kind } = deviceOf(device)
    if ((await noteDevice(tx, user.id, `${kind} ${name}`, now)) !== 'new') return
    const message = { is: 'new_sign_in', device: deviceNamed(device), place: place ?? ip, at: now } as const
    await email({ email: user.email, name: user.name }, message)
  }
  await (unit ? begin(unit) : transaction(begin))
  return {
    token,
    token_type: 'Bearer',
    user: await sessionUserOf({ db: unit?.tx ?? db, secrets }, user),
  }
}
