// What a deletion does to a creator's balance, plans and members' months.
import { LEAVING_MS, type LeavingEarnings } from '#contract/accounts/leaving.ts'
import type { Deps } from '#server/deps.ts'
import { sharesOf } from '#server/rules/money/fees.ts'
import { dayAfter, dayOf, dayRange } from '#server/rules/money/periods.ts'
import { balanceOf } from '#server/rules/money/sales.ts'
import type { Leaving } from '#server/store/accounts/leaving.ts'
import { chargedByPlan, monthsBeyond } from '#server/store/memberships/notes.ts'
import { findBankAccount } from '#server/store/payouts/bank-accounts.ts'
import { countKept } from '#server/store/posts/kept.ts'
import { balanceParts, firstMonth } from '#server/store/sales/sums.ts'

/** @returns null for a person who has sold nothing and has no plan */
export async function earningsOf(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  creatorId: string,
  leaving: Leaving | undefined,
): Promise<LeavingEarnings | null> {
  const plans = await chargedByPlan(db, creatorId, leaving?.requestedAt ?? null)
  if (plans.length === 0 && (await firstMonth(db, creatorId)) === undefined) return null
  const now = clock()
  const tomorrow = dayRange(dayAfter(dayOf(now))).from
  const { total, available } = balanceOf(await balanceParts(db, creatorId, tomorrow))
  const months = await monthsBeyond(db, creatorId, leaving?.dueAt ?? new Date(now + LEAVING_MS))
  const sum = (of: (it: (typeof months)[number]) => number) => months.reduce((all, it) => all + of(it), 0)
  return {
    balance: total,
    available,
    open_month: Math.max(0, total) - available,
    has_account: (await findBankAccount(db, creatorId)) !== undefined,
    plans,
    refunds: {
      count: months.length,
      amount: sum((it) => it.left),
      cost: sum((it) => sharesOf(it.left, it.feeRate).creator),
    },
    kept: await countKept(db, creatorId),
  }
}
