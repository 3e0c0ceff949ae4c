// Whether new accounts are made now, and whose invitation they use.
import type { ReplyOf } from '#contract/endpoint.ts'
import type { getRegistration } from '#contract/accounts/invitations.ts'
import type { RegistrationMode } from '#contract/administration/runtime-names.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError, RateLimited } from '#server/http/errors.ts'
import { areAccountsSince, findUsable, countUse } from '#server/store/accounts/invitations.ts'
import type { Db } from '#server/store/database.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR

type Ports = Pick<Deps, 'db' | 'clock' | 'runtime'>

export async function registrationState({
  db,
  clock,
  runtime,
}: Ports): Promise<ReplyOf<typeof getRegistration>['state']> {
  const { registration, limits } = await runtime.values()
  const most = limits.sign_ups_per_day
  const isFull =
    registration !== 'closed' &&
    most !== Number.POSITIVE_INFINITY &&
    (await areAccountsSince(db, clock() - DAY, most))
  return isFull ? 'full' : registration
}

/**
 * Decides whether a registration may begin. Nothing is counted yet, so that a code is not used up by a mistyped address.
 * @param code of an invitation, as it was typed
 * @returns the id of the invitation; null where none is needed
 * @throws ApiError `sign_up_closed`; `rate_limited` when a day has no more accounts; `invalid` for the code
 */
export async function mayRegister(ports: Ports, code: string | undefined): Promise<string | null> {
  const state = await registrationState(ports)
  if (state === 'closed') throw new ApiError('sign_up_closed')
  if (state === 'full') throw new RateLimited(HOUR)
  if (state === 'open') return null
  if (code === undefined || code === '') throw new ApiError('invalid', { invite: 'required' })
  const found = await findUsable(ports.db, code, ports.clock())
  if (found === undefined) throw new ApiError('invalid', { invite: 'expired' })
  return found
}

/**
 * Counts the use of an invitation, in the transaction that creates the account. The mode of this moment decides.
 * @throws ApiError `sign_up_closed` also when another account took the last use meanwhile
 */
export async function spendInvitation(
  tx: Db,
  invitationId: string | null,
  mode: RegistrationMode,
  now: number,
): Promise<void> {
  if (mode === 'open') return
  if (mode === 'invite' && invitationId !== null && (await countUse(tx, invitationId, now))) return
  throw new ApiError('sign_up_closed')
}
