// Limits of payments: begun, refused cards, and the amount of new accounts.
import type { ErrorCode } from '#contract/errors.ts'
import type { AuditAct } from '#contract/administration/audit-names.ts'
import { hasEntry } from '#server/store/audit/entries.ts'
import type { Db } from '#server/store/database.ts'
import { countRefusedOfNetwork, countRefusedOfPerson } from '#server/store/payments/notices.ts'
import { countBegun, sumSpent } from '#server/store/payments/payments.ts'
import { findUser } from '#server/store/people/people.ts'
import type { BeginPorts } from './ports.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR
/** An account younger than this is new. */
const NEW_ACCOUNT_MS = 30 * DAY

interface Attempt {
  readonly userId: string
  /** Whole yen. */
  readonly amount: number
  readonly networkMac: string
}

export interface LimitReached {
  readonly code: Extract<ErrorCode, 'rate_limited' | 'payment_limit'>
  /** Name in the audit log. */
  readonly act: Extract<AuditAct, `payment_limit_${string}`>
}

/** The limit that forbids another payment; undefined when none does. */
export async function limitReached(
  { settings, clock }: Pick<BeginPorts, 'settings' | 'clock'>,
  tx: Db,
  { userId, amount, networkMac }: Attempt,
): Promise<LimitReached | undefined> {
  const { limits } = settings.payments
  const now = clock()
  if ((await countBegun(tx, userId, now - HOUR)) >= limits.begunPerHour)
    return { code: 'rate_limited', act: 'payment_limit_begun' }
  if ((await countRefusedOfPerson(tx, userId, now - DAY)) >= limits.refusedPerPerson)
    return { code: 'rate_limited', act: 'payment_limit_refused_person' }
  if ((await countRefusedOfNetwork(tx, networkMac, now - DAY)) >= limits.refusedPerNetwork)
    return { code: 'rate_limited', act: 'payment_limit_refused_network' }
  const user = await findUser(tx, userId)
  const isNew = user !== undefined && now - user.createdAt.getTime() < NEW_ACCOUNT_MS
  if (isNew && (await sumSpent(tx, userId, now - DAY, now)) + amount > limits.newAccountYen)
    return { code: 'payment_limit', act: 'payment_limit_new_account' }
  return undefined
}

/** Writes a reached limit to the audit log, by the person's id, once an hour for each limit. */
export async function auditLimit(
  { db, transaction, clock }: Pick<BeginPorts, 'db' | 'transaction' | 'clock'>,
  userId: string,
  { act }: LimitReached,
): Promise<void> {
  const entry = { actorId: userId, act, subjectKind: 'user', subjectId: userId, ip: '' } as const
  if (await hasEntry(db, entry, clock() - HOUR)) return
  await transaction(async ({ audit }) => audit(entry))
}
