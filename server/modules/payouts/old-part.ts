// What of a person's balance is older than six months, and what becomes of it.
import type { OldBalanceStep } from '#contract/payouts/payouts.ts'
import { monthOf } from '#server/rules/money/periods.ts'
import { oldMonth, oldStepOf } from '#server/rules/payouts/old-balance.ts'
import type { Db } from '#server/store/database.ts'
import { isIdentified } from '#server/store/identity/identity.ts'
import { oldBalanceOf } from '#server/store/payouts/old-balances.ts'
import { findPayees } from '#server/store/payouts/payees.ts'
import { hasPayoutOf, latestPayout } from '#server/store/payouts/payouts.ts'

interface OldPart {
  /** Yen that are older than six months, not 0. */
  readonly amount: number
  readonly step: OldBalanceStep
}

/** Null when nothing is older, and for deleted accounts. */
export async function oldPartOf(db: Db, creatorId: string, now: number): Promise<OldPart | null> {
  const amount = await oldBalanceOf(db, creatorId, oldMonth(now))
  if (amount === 0) return null
  const payee = (await findPayees(db, [creatorId])).get(creatorId)
  if (!payee || payee.deletedAt !== null) return null
  const month = monthOf(now)
  const step = oldStepOf({
    isSuspended: payee.suspendedAt !== null,
    isIdentified: await isIdentified(db, creatorId),
    accountAt: payee.account?.changedAt ?? null,
    hasPayoutOfMonth: await hasPayoutOf(db, creatorId, month),
    month,
    latest: await latestPayout(db, creatorId),
  })
  return { amount, step }
}
