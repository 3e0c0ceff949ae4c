// Decides whether an account may be registered now, and with which invitation.
import type { ReplyOf } from '#contract/endpoint.ts'
import type { getRegistration } from '#contract/accounts/invitations.ts'
import type { RegistrationMode } from '#contract/administration/runtime-names.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError, RateLimited } from '#server/http/errors.ts'
import { hasAccountsSince, findUsable, countUse } from '#server/store/accounts/invitations.ts'
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
  const dailyLimit = limits.sign_ups_per_day
  const isFull =
    registration !== 'closed' &&
    dailyLimit !== Number.POSITIVE_INFINITY &&
    (await hasAccountsSince(db, clock() - DAY, dailyLimit))
  return isFull ? 'full' : registration
}

/**
 * Decides whether a registration may begin. Nothing is counted yet, so that a code is not used up by a mistyped address.
 * @param code of an invitation, as it was typed
 * @returns the id of the invitation; null where none is needed
 * @throws ApiError `sign_up_closed`; `rate_limited` if the last 24 hours have as many accounts as a day may have; `invalid` for a
 * code that is missing or cannot be used
 */
export async function mayRegister(ports: Ports, code: string | undefined): Promise<string | null> {
  const state = await registrationState(ports)
  if (state === 'closed') throw new ApiError('sign_up_closed')
  if (state === 'full') throw new RateLimited(HOUR)
  if (state === 'open') return null
  if (code === undefined || code === '') throw new ApiError('invalid', { invite: 'required' })
  // One code for every unusable invitation, so that existing ones cannot be found by trying.
  const invitationId = await findUsable(ports.db, code, ports.clock())
  if (invitationId === undefined) throw new ApiError('invalid', { invite: 'expired' })
  return invitationId
}

/**
 * Counts the use of an invitation, in the transaction that creates the account. The mode may have changed after `mayRegister`.
 * @throws ApiError `sign_up_closed` if registration is closed, or the invitation is missing or has no use left
 */
export async function countInvitationUse(
  tx: Db,
  invitationId: string | null,
  mode: RegistrationMode,
  now: number,
): Promise<void> {
  if (mode === 'open') return
  if (mode === 'invite' && invitationId !== null && (await countUse(tx, invitationId, now))) return
  throw new ApiError('sign_up_closed')
}
