// Reads what stops payouts from being approved or put into a transfer file.
import type { PayoutStop } from '#contract/payouts/admin-payouts.ts'
import type { Deps } from '#server/deps.ts'
import { isSingleOnly, stopOf } from '#server/rules/payouts/approval.ts'
import { practiceNames } from '#server/services/payments/providers.ts'
import type { Db } from '#server/store/database.ts'
import type { BankAccountRow } from '#server/store/payouts/bank-accounts.ts'
import { creatorsPaidBy } from '#server/store/payments/charges.ts'
import { findPayees, type Payee } from '#server/store/payouts/payees.ts'
import { type PayoutRow } from '#server/store/payouts/payouts.ts'
import { countStaff } from '#server/store/staff/staff.ts'
import type { AccountState } from '#server/store/people/people.ts'

export interface Examined {
  readonly payout: PayoutRow
  readonly account: BankAccountRow | undefined
  /** Undefined when the row of the creator is gone. */
  readonly payee: Payee | undefined
  readonly creatorState: AccountState
  readonly singleOnly: boolean
  readonly stop: PayoutStop | null
}

type Ports = Pick<Deps, 'settings' | 'clock' | 'banks'>

/** Examines payouts for the admin who acts, in their order. */
export async function examine(
  { settings, clock, banks }: Ports,
  db: Db,
  payouts: readonly PayoutRow[],
  actorId: string,
): Promise<Examined[]> {
  const payees = await findPayees(
    db,
    payouts.map((it) => it.creatorId),
  )
  const practised = settings.payments.isReal
    ? await creatorsPaidBy(db, [...payees.keys()], practiceNames)
    : new Set<string>()
  const hasOthers = (await countStaff(db, 'money')) > 1
  const examined: Examined[] = []
  for (const payout of payouts) {
    const payee = payees.get(payout.creatorId)
    const { account, state: creatorState = 'gone', suspendedAt = null } = payee ?? {}
    const isKnown = account && (await banks.find(account.bankCode, account.branchCode)) !== undefined
    const stop = stopOf(
      {
        state: payout.state,
        approvedAt: payout.approvedAt,
        hasPracticeMoney: practised.has(payout.creatorId),
        isOwn: hasOthers && payout.creatorId === actorId,
        needsOther: hasOthers && settings.payouts.needsTwoAdmins && payout.approvedBy === actorId,
        suspendedAt,
        account: account && { ...account, isKnown: isKnown === true },
      },
      clock(),
    )
    const singleOnly = isSingleOnly(account?.nameCheck, creatorState)
    examined.push({ payout, account, payee, creatorState, singleOnly, stop })
  }
  return examined
}
