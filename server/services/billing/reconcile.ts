// Compares the provider's list of charges with the recorded ones, and mends lost notices.
import { createHash } from 'node:crypto'
import type { ListedCharge, ProviderList } from '#server/adapters/payments/provider.ts'
import { applyPlanCharge } from '#server/services/memberships/charge.ts'
import { lockForm } from '#server/store/memberships/memberships.ts'
import { findChargeByRef, listChargesOf } from '#server/store/payments/charges.ts'
import { refsOfComparedTasks } from '#server/store/payments/compared-tasks.ts'
import { findPayment } from '#server/store/payments/payments.ts'
import { applyCharge } from '#server/services/payments/charge.ts'
import type { PaymentPorts, PaymentUnit } from '#server/services/payments/ports.ts'
import { compareRecurring } from './compare-recurring.ts'
import { closeFoundRight, type Difference, isReturnedHere, report } from './differences.ts'
import { rolledBack } from './perform.ts'

/** A charge that was recorded this long ago must be in the provider's list, ms. */
const LISTED_AFTER_MS = 24 * 3600_000

/** A charge of the list that no notice had reported, and that was applied now. */
export interface LostCharge {
  readonly chargeRef: string
  /** Whole yen. */
  readonly amount: number
  readonly isSurplus: boolean
  readonly paymentId: string
  readonly userId: string
  readonly creatorId: string
}

/** What a comparison did. */
export interface Reconciliation {
  /** Charges of the list. */
  readonly listed: number
  /** Those whose notice was lost, which were applied now. */
  readonly applied: number
  /** Differences that the operator has to examine; each is added as a task once. */
  readonly differences: number
  readonly charges: readonly LostCharge[]
}

/**
 * Compares the charges of each provider with the recorded ones. A charge without a notice is applied as its notice would be;
 * every other difference becomes a task, and a task whose cause is gone is closed. Repeated, it changes nothing.
 * @returns undefined when no provider has a list
 * @throws AggregateError after all of them when some could not be compared
 */
export async function reconcile(ports: PaymentPorts): Promise<Reconciliation | undefined> {
  const results: Reconciliation[] = []
  const failures: unknown[] = []
  for (const { name, list } of ports.paymentProviders.all) {
    if (!list) continue
    try {
      const until = ports.clock() - LISTED_AFTER_MS
      results.push(
        await compareAll(ports, {
          provider: name,
          list: await list(),
          range: { from: 0, until },
        }),
      )
    } catch (error) {
      // The others are compared all the same.
      failures.push(error)
    }
  }
  if (failures.length === 1) throw failures[0]
  if (failures.length > 1) throw new AggregateError(failures, 'providers could not be compared')
  return results.length === 0 ? undefined : results.reduce(added)
}

const added = (one: Reconciliation, other: Reconciliation): Reconciliation => ({
  listed: one.listed + other.listed,
  applied: one.applied + other.applied,
  differences: one.differences + other.differences,
  charges: [...one.charges, ...other.charges],
})

/** A comparison with charges that the operator has downloaded. */
export interface UploadedList {
  /** SHA-256 of the text, in hexadecimal. */
  readonly digest: string
  /** Compares and changes nothing. */
  readonly preview: () => Promise<Reconciliation>
  /** @param onApplied called in the transaction that has applied a charge, with the id of its row */
  readonly apply: (
    onApplied: (unit: PaymentUnit, charge: LostCharge, chargeId: string) => void,
  ) => Promise<Reconciliation>
}

/**
 * Reads charges that the operator has downloaded, which are all of the time from the first to the last of them.
 * @param text as the provider's panel gives it
 * @returns undefined when no provider has such lists; `unreadable` when nothing can be compared
 */
export function uploadedList(ports: PaymentPorts, text: string): UploadedList | 'unreadable' | undefined {
  const provider = ports.paymentProviders.all.find((it) => it.readCharges)
  if (!provider?.readCharges) return undefined
  const charges = provider.readCharges(text)
  if (!charges) return 'unreadable'
  const times = charges.map((it) => it.chargedAt.getTime()).toSorted((one, other) => one - other)
  const [from = 0, last = 0] = [times[0], times.at(-1)]
  // Charges are recorded when their notices arrive, which may be some time later.
  const range = { from: from + LISTED_AFTER_MS, until: last - LISTED_AFTER_MS }
  const digest = createHash('sha256').update(text).digest('hex')
  const asked = { provider: provider.name, list: { charges, recurring: [] }, range, fileDigest: digest }
  return {
    digest,
    preview: () => compareAll(ports, { ...asked, isPreview: true }),
    apply: (onApplied) => compareAll(ports, { ...asked, onApplied }),
  }
}

interface Range {
  readonly from: number
  readonly until: number
}

interface Comparison {
  readonly provider: string
  readonly list: ProviderList
  /** Recorded charges of this time, ms since 1970, must be in the list. */
  readonly range: Range
  /** Of the list that staff have uploaded; undefined for one of the provider itself. */
  readonly fileDigest?: string
  /** Whether each comparison is rolled back. */
  readonly isPreview?: boolean
  readonly onApplied?: (unit: PaymentUnit, charge: LostCharge, chargeId: string) => void
}

type Compared = 'same' | 'applied' | Difference | LostCharge

const foundBy = (outcome: Compared): Difference | undefined =>
  typeof outcome === 'object' || outcome === 'same' || outcome === 'applied' ? undefined : outcome

async function compareAll(ports: PaymentPorts, comparison: Comparison): Promise<Reconciliation> {
  const { provider, list, range, isPreview } = comparison
  const { db, transaction } = ports
  let [applied, differences] = [0, 0]
  const charges: LostCharge[] = []
  const failures: unknown[] = []
  // One that fails does not keep the others from being compared.
  const count = async (work: (unit: PaymentUnit) => Promise<Compared>) => {
    try {
      const outcome = await (isPreview ? rolledBack(transaction, work) : transaction(work))
      if (typeof outcome === 'object') charges.push(outcome)
      if (outcome === 'applied' || typeof outcome === 'object') applied++
      else if (outcome !== 'same') differences++
    } catch (error) {
      failures.push(error)
    }
  }
  const open = await refsOfComparedTasks(db)
  for (const it of list.charges)
    await count(async (unit) => {
      const outcome = await compare(ports, unit, comparison, it)
      const { chargeRef } = it
      if (open.has(chargeRef)) await closeFoundRight(ports, unit, { provider, chargeRef }, foundBy(outcome))
      return outcome
    })
  for (const it of list.recurring)
    await count((unit) => compareRecurring(ports, unit, { provider, open }, it))
  const listed = new Set(list.charges.map((it) => it.chargeRef))
  const recorded = await listChargesOf(db, provider, range)
  for (const { chargeRef, paymentId, amount } of recorded.filter((it) => !listed.has(it.chargeRef)))
    await count((unit) => report(ports, unit, 'missing_there', { provider, chargeRef, paymentId, amount }))
  if (failures.length > 0) throw new AggregateError(failures, 'charges could not be compared')
  return { listed: list.charges.length, applied, differences, charges }
}

async function compare(
  ports: PaymentPorts,
  unit: PaymentUnit,
  { provider, fileDigest, onApplied }: Comparison,
  { chargeRef, paymentId, amount, refunded, recurringRef, chargedAt }: ListedCharge,
): Promise<Compared> {
  const { tx } = unit
  const about = { provider, chargeRef, paymentId, amount }
  const returned = { ...about, amount: refunded === 'part' ? amount : refunded }
  const { payment: form } = await lockForm(tx, paymentId)
  // A payment that was begun at another provider is none of this list.
  if (!form || (form.provider ?? provider) !== provider)
    return report(ports, unit, 'unknown_payment', { ...about, paymentId: null })
  const known = await findChargeByRef(tx, provider, chargeRef)
  if (known) {
    if (known.amount !== amount) return report(ports, unit, 'amount', about)
    const payment = known.paymentId === form.id ? form : await findPayment(tx, known.paymentId)
    const isKnown = isReturnedHere(known, payment, refunded)
    return isKnown ? 'same' : report(ports, unit, 'refunded_there', returned)
  }
  // Money that the provider has returned already pays for nothing.
  if (refunded !== 0) return report(ports, unit, 'refunded_there', returned)
  const at = { now: ports.clock(), publicUrl: ports.settings.publicUrl }
  const charge = { provider, chargeRef, amount, fileDigest }
  if (form.kind === 'post') await applyCharge(unit, form, charge, at)
  else await applyPlanCharge(unit, form, { ...charge, recurringRef, chargedAt: chargedAt.getTime() }, at)
  const recorded = await findChargeByRef(tx, provider, chargeRef)
  if (!recorded) return 'same'
  const { isSurplus } = recorded
  const lost = { chargeRef, amount, isSurplus, paymentId, userId: form.userId, creatorId: form.creatorId }
  onApplied?.(unit, lost, recorded.id)
  return lost
}
