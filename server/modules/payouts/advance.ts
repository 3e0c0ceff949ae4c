// Moves a payout to its next state, with its ledger entry, email and audit entry.
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { LedgerLine } from '#server/rules/money/ledger.ts'
import {
  cancelLines,
  paidLines,
  type PayoutEvent,
  payoutStep,
  returnLines,
  withheldLines,
} from '#server/rules/payouts/payout.ts'
import type { ActedBy as By } from '#server/services/billing/money-door.ts'
import { bookEntry, publishSales } from '#server/services/payments/book.ts'
import type { LedgerCause } from '#server/store/payments/ledger.ts'
import { lockPayout, type PayoutRow, setPayout } from '#server/store/payouts/payouts.ts'
import { closeTaxTask } from '#server/store/payments/operator-tasks.ts'
import { countStaff } from '#server/store/staff/staff.ts'
import { findUser } from '#server/store/people/people.ts'

export type { ActedBy as By } from '#server/services/billing/money-door.ts'

export type Step = PayoutEvent & {
  /** What the creator reads; '' without one. */
  readonly reason: string
}

/** Steps by which an admin could pay themselves. Holding and cancelling pay nothing. */
const needsAnother: ReadonlySet<Step['is']> = new Set([
  'approve',
  'release',
  'tax',
  'export',
  'void',
  'pay',
  'return',
])

/**
 * Makes one step of a payout in the transaction that has locked it.
 * @returns false when the step is not possible in its state, or before the tax of a payout abroad is decided
 * @throws ApiError `forbidden` for a step of the admin's own payout that another admin can make; `invalid` with `withheld`
 */
export async function advanceLocked(
  { clock, settings }: Pick<Deps, 'clock' | 'settings'>,
  unit: Unit,
  payout: PayoutRow,
  step: Step,
  by: By,
): Promise<boolean> {
  const { tx } = unit
  const isOwn = payout.creatorId === by.actorId
  if (isOwn && needsAnother.has(step.is) && (await countStaff(tx, 'money')) > 1)
    throw new ApiError('forbidden')
  const state = payoutStep(payout.state, step)
  if (state === undefined || !fitsTaxCheck(payout, step)) return false
  const now = clock()
  await setPayout(tx, payout.id, { ...changeOf(step, by, now), state })
  publishSales(unit, payout.creatorId)
  const booked = entryOf(payout, step)
  if (booked) {
    const { id: payoutId, creatorId } = payout
    await bookEntry(unit, { ...booked, payoutId, creatorId }, now)
  }
  if (payout.taxCheck === 'waits' && endsTaxCheck(step)) await closeTaxTask(tx, payout.id, now)
  // Without the reason, which is free text.
  const detail = { number: payout.number, ...(isOwn && { own: true }) }
  const subject = { subjectKind: 'payout', subjectId: payout.id } as const
  if (step.is === 'tax')
    unit.audit({ ...by, act: 'payout.tax', ...subject, detail: { ...detail, withheld: step.withheld } })
  else unit.audit({ ...by, act: `payout.${step.is}`, ...subject, detail })
  await announce(unit, { ...payout, state }, step, settings.publicUrl)
  return true
}

const endsTaxCheck = ({ is }: Step): boolean => is === 'tax' || is === 'cancel'

/**
 * Whether a step fits what is known of the tax: a payout that waits for it is decided or cancelled, and one is decided once.
 * @throws ApiError `invalid` with `withheld` when nothing would be left to transfer
 */
function fitsTaxCheck({ taxCheck, amount, fee }: PayoutRow, step: Step): boolean {
  const waits = taxCheck === 'waits'
  if (step.is !== 'tax') return !waits || endsTaxCheck(step)
  if (waits && step.withheld >= amount - fee) throw new ApiError('invalid', { withheld: 'too_large' })
  return waits
}

/** Locks a payout and makes one step of it. @returns undefined when there is none */
export function advance(deps: Deps, id: string, step: Step, by: By): Promise<boolean | undefined> {
  return deps.transaction(async (unit) => {
    const payout = await lockPayout(unit.tx, id)
    return payout && advanceLocked(deps, unit, payout, step, by)
  })
}

function changeOf(step: Step, { actorId }: By, now: number): Partial<PayoutRow> {
  switch (step.is) {
    case 'approve':
      return { approvedBy: actorId, approvedAt: new Date(now), reason: '' }
    case 'hold':
    case 'cancel':
      return { approvedBy: null, approvedAt: null, reason: step.reason }
    case 'release':
      return { reason: '' }
    case 'tax':
      return { taxCheck: 'done', withheld: step.withheld, taxReason: step.reason, reason: '' }
    case 'export':
      return {}
    case 'void':
      return { exportId: null, lastDigits: '' }
    case 'pay':
      return { paidAt: new Date(now) }
    case 'return':
      return { returnedAt: new Date(now), reason: step.reason }
    default:
      return step satisfies never
  }
}

/** The entry of a step that moves money; the others move none. */
function entryOf(
  payout: PayoutRow,
  step: Step,
): { readonly cause: LedgerCause; readonly lines: LedgerLine[] } | undefined {
  switch (step.is) {
    case 'cancel':
      return { cause: 'payout_cancelled', lines: cancelLines(payout) }
    case 'tax': {
      const lines = withheldLines({ ...payout, withheld: step.withheld })
      return lines.length === 0 ? undefined : { cause: 'payout_withheld', lines }
    }
    case 'pay':
      return { cause: 'payout_paid', lines: paidLines(payout) }
    case 'return': {
      const from = payout.state === 'paid' ? 'paid' : 'exported'
      return { cause: 'payout_returned', lines: returnLines(payout, from, step.keepsFee) }
    }
    default:
      return undefined
  }
}

/** Emails the creator of what they have to know or do, unless the account is being deleted. */
async function announce(
  { tx, email }: Unit,
  { creatorId, amount, fee, withheld, number }: PayoutRow,
  step: Step,
  publicUrl: string,
): Promise<void> {
  if (step.is !== 'pay' && step.is !== 'return' && step.is !== 'cancel' && step.is !== 'hold') return
  const creator = await findUser(tx, creatorId)
  if (!creator || creator.deletedAt !== null) return
  const facts = {
    number,
    amount,
    fee,
    withheld,
    reason: step.reason,
    url: `${publicUrl}/settings/sales-management/payouts`,
  }
  const kinds = {
    pay: 'payout_paid',
    return: 'payout_returned',
    cancel: 'payout_cancelled',
    hold: 'payout_held',
  } as const
  await email({ email: creator.email, name: creator.name }, { is: kinds[step.is], ...facts })
}
