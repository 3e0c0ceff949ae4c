// Compares the provider's list of charges with the recorded ones, and mends lost notices.
import { readChargesCsv } from '#server/adapters/payments/charges-csv.ts'
import type { ListedCharge, ListedRecurring, ProviderList } from '#server/adapters/payments/provider.ts'
import { applyEvent } from '#server/services/memberships/change.ts'
import { planAmountsOf } from '#server/services/memberships/amounts.ts'
import { applyPlanCharge } from '#server/services/memberships/charge.ts'
import { lockMembership, setMembership } from '#server/store/memberships/memberships.ts'
import { type ChargeRow, findChargeByGid, listChargesOf } from '#server/store/payments/charges.ts'
import { addTaskOnce } from '#server/store/payments/operator-tasks.ts'
import { findPayment, lockPayment, type PaymentRow } from '#server/store/payments/payments.ts'
import { applyCharge } from '#server/services/payments/charge.ts'
import type { PaymentPorts, PaymentUnit } from '#server/services/payments/ports.ts'

/** A charge that was recorded this long ago must be in the provider's list, ms. */
const LISTED_AFTER_MS = 24 * 3600_000

/** What a comparison did. */
export interface Reconciliation {
  /** Charges of the list. */
  readonly listed: number
  /** Those whose notice was lost, which were applied now. */
  readonly applied: number
  /** Differences that the operator has to examine; each is added as a task once. */
  readonly differences: number
}

/**
 * `unknown_payment`: no payment has the id. `amount`: another amount than the payment's, or than was recorded.
 * `refunded_there`: the provider has returned the money, and the payment is open. `missing_there`: the provider's list lacks
 * a recorded charge. `recurring_unknown`: a recurring charge runs that belongs to no membership, and is stopped.
 * `recurring_amount`: it has another amount than was last set at the provider.
 */
type Difference =
  | 'unknown_payment'
  | 'amount'
  | 'refunded_there'
  | 'missing_there'
  | 'recurring_unknown'
  | 'recurring_amount'

/**
 * Compares the provider's charges with the recorded ones. A charge without a notice is applied as its notice would be; every
 * other difference becomes a task. Repeated, it changes nothing.
 * @returns undefined for a provider without a list
 * @throws AggregateError after all of them when some could not be compared
 */
export async function reconcile(ports: PaymentPorts): Promise<Reconciliation | undefined> {
  const list = await ports.paymentProvider?.list()
  if (list?.is !== 'list') return undefined
  const until = ports.clock() - LISTED_AFTER_MS
  return compareAll(ports, list, { from: 0, until })
}

/**
 * Compares charges that the operator has downloaded, which are all of the time from the first to the last of them.
 * @param text CSV
 * @returns undefined while selling is off; `unreadable` when nothing was compared
 */
export async function reconcileWith(
  ports: PaymentPorts,
  text: string,
): Promise<Reconciliation | 'unreadable' | undefined> {
  const read = readChargesCsv(text)
  if (read.is === 'problem') return 'unreadable'
  const { charges } = read
  const times = charges.map((it) => it.chargedAt.getTime()).toSorted((one, other) => one - other)
  const [from = 0, last = 0] = [times[0], times.at(-1)]
  // Charges are recorded when their notices arrive, which may be some time later.
  const range = { from: from + LISTED_AFTER_MS, until: last - LISTED_AFTER_MS }
  return compareAll(ports, { charges, recurring: [] }, range)
}

interface Range {
  readonly from: number
  readonly until: number
}

/** @param range recorded charges of this time, ms since 1970, must be in the list */
async function compareAll(
  ports: PaymentPorts,
  list: ProviderList,
  range: Range,
): Promise<Reconciliation | undefined> {
  const { paymentProvider: provider, transaction, db } = ports
  if (!provider) return undefined
  let [applied, differences] = [0, 0]
  const failures: unknown[] = []
  // One that fails does not keep the others from being compared.
  const count = async (work: (unit: PaymentUnit) => Promise<'same' | 'applied' | Difference>) => {
    try {
      const outcome = await transaction(work)
      if (outcome === 'applied') applied++
      else if (outcome !== 'same') differences++
    } catch (error) {
      failures.push(error)
    }
  }
  for (const it of list.charges) await count((unit) => compare(ports, unit, provider.name, it))
  for (const it of list.recurring) await count((unit) => compareRecurring(ports, unit, provider.name, it))
  const listed = new Set(list.charges.map((it) => it.gid))
  const recorded = await listChargesOf(db, provider.name, range)
  for (const { gid, paymentId, amount } of recorded.filter((it) => !listed.has(it.gid)))
    await count((unit) => report(ports, unit, 'missing_there', { gid, paymentId, amount }))
  if (failures.length > 0) throw new AggregateError(failures, 'charges could not be compared')
  return { listed: list.charges.length, applied, differences }
}

async function compare(
  ports: PaymentPorts,
  unit: PaymentUnit,
  provider: string,
  { gid, paymentId, amount, refunded, acid, chargedAt }: ListedCharge,
): Promise<'same' | 'applied' | Difference> {
  const { tx } = unit
  const about = { gid, paymentId, amount }
  const form = await lockPayment(tx, paymentId)
  if (!form) return report(ports, unit, 'unknown_payment', { ...about, paymentId: null })
  const membership = form.kind === 'plan' ? await lockMembership(tx, form.id) : undefined
  const known = await findChargeByGid(tx, provider, gid)
  const amounts =
    form.kind === 'plan' ? await planAmountsOf(tx, form, membership, { acid, total: amount }) : [form.amount]
  if (!(known ? [known.amount] : amounts).includes(amount)) return report(ports, unit, 'amount', about)
  if (known) {
    const payment = known.paymentId === form.id ? form : await findPayment(tx, known.paymentId)
    const isKnown = isReturnedHere(known, payment, refunded)
    return isKnown ? 'same' : report(ports, unit, 'refunded_there', about)
  }
  // Money that the provider has returned already pays for nothing.
  if (refunded !== 0) return report(ports, unit, 'refunded_there', about)
  const at = { now: ports.clock(), publicUrl: ports.settings.publicUrl }
  const charge = { provider, gid, amount }
  if (form.kind === 'post') await applyCharge(unit, form, charge, at)
  else await applyPlanCharge(unit, form, { ...charge, acid, chargedAt: chargedAt.getTime() }, at)
  return 'applied'
}

/** Whether what the provider has returned of a charge is refunded here too. */
function isReturnedHere(
  { isSurplus, gid }: ChargeRow,
  payment: PaymentRow | undefined,
  refunded: ListedCharge['refunded'],
): boolean {
  // The card company has the whole money, or had it.
  const isDisputed = payment?.state === 'disputed' || payment?.state === 'refunded'
  if (isSurplus || payment?.chargeGid !== gid || isDisputed) return true
  return refunded === 'part' ? payment.refundedAmount > 0 : refunded <= payment.refundedAmount
}

/** A stop in the provider's own panel sends no notice, so that the list is the first to show it. */
async function compareRecurring(
  ports: PaymentPorts,
  unit: PaymentUnit,
  provider: string,
  { acid, paymentId, amount, isRunning }: ListedRecurring,
): Promise<'same' | 'applied' | Difference> {
  const { tx } = unit
  const form = await lockPayment(tx, paymentId)
  const membership = form && (await lockMembership(tx, form.id))
  if (!membership || membership.acid !== acid || membership.provider !== provider) {
    if (!isRunning) return 'same'
    await unit.enqueue('recurring.stop', { acid })
    return report(ports, unit, 'recurring_unknown', { gid: acid, paymentId: form?.id ?? null, amount })
  }
  const charged = isRunning ? amount : 0
  if (charged === membership.chargedAmount) return 'same'
  if (charged === 0) {
    const at = { now: ports.clock(), publicUrl: ports.settings.publicUrl }
    await applyEvent(unit, membership, { is: 'charges_stopped', why: 'cancelled' }, at)
    await setMembership(tx, membership.id, { chargedAmount: 0 })
    return 'applied'
  }
  // The job sets the right amount at the provider.
  await setMembership(tx, membership.id, { chargedAmount: charged })
  await unit.enqueue('membership.charges', { membershipId: membership.id })
  return report(ports, unit, 'recurring_amount', { gid: acid, paymentId: membership.id, amount })
}

async function report(
  { clock }: PaymentPorts,
  { tx }: PaymentUnit,
  why: Difference,
  { gid, paymentId, amount }: { gid: string; paymentId: string | null; amount: number },
): Promise<Difference> {
  await addTaskOnce(tx, { kind: 'difference', paymentId, details: { gid, amount, why } }, clock())
  return why
}
