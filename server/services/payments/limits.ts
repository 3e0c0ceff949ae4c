// Limits of payments: begun, refused cards, and the amount of new accounts.
import type { ErrorCode } from '#contract/errors.ts'
import type { AuditAct } from '#contract/administration/audit-names.ts'
import { countedAfter, type NewAccount, newAccountOf, newUntil } from '#server/rules/money/new-account.ts'
import { hasEntry } from '#server/store/audit/entries.ts'
import type { Db } from '#server/store/database.ts'
import { countRefusedOfNetwork, countRefusedOfPerson } from '#server/store/payments/notices.ts'
import { countBegun, listSpent, type PaidFor } from '#server/store/payments/payments.ts'
import { findUser } from '#server/store/people/people.ts'
import type { BeginPorts } from './ports.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR

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
  const account = await findNewAccount({ settings, clock }, tx, { userId })
  if (account && amount > account.left) return { code: 'payment_limit', act: 'payment_limit_new_account' }
  return undefined
}

interface Buyer {
  readonly userId: string
  /** The open payment for this does not count, since another one takes its place. */
  readonly item?: PaidFor | undefined
}

/** What a new account may still pay; undefined for one that has no limit. */
export async function findNewAccount(
  { settings, clock }: Pick<BeginPorts, 'settings' | 'clock'>,
  db: Db,
  { userId, item }: Buyer,
): Promise<NewAccount | undefined> {
  const now = clock()
  const user = await findUser(db, userId)
  if (!user || now >= newUntil(user.createdAt.getTime())) return undefined
  const spent = await listSpent(db, userId, { after: countedAfter(now), now, item })
  const limit = settings.payments.limits.newAccountYen
  return newAccountOf({ createdAt: user.createdAt.getTime(), limit }, spent, now)
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
