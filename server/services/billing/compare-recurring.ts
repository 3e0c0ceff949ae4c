// Compares a recurring charge of the provider's list with its membership.
import type { ListedRecurring } from '#server/adapters/payments/provider.ts'
import { registerCard } from '#server/services/memberships/card.ts'
import { applyEvent } from '#server/services/memberships/change.ts'
import { recurringTasks, wantedAmount } from '#server/services/memberships/sync-charges.ts'
import type { PaymentPorts, PaymentUnit } from '#server/services/payments/ports.ts'
import {
  lockForm,
  lockMembership,
  type MembershipRow,
  setMembership,
} from '#server/store/memberships/memberships.ts'
import { closeDifferences } from '#server/store/payments/compared-tasks.ts'
import { closeTasksOf } from '#server/store/payments/operator-tasks.ts'
import type { PaymentRow } from '#server/store/payments/payments.ts'
import { type Difference, report } from './differences.ts'

interface Comparison {
  readonly provider: string
  /** Numbers of charges and recurring charges that open tasks are about. */
  readonly open: ReadonlySet<string>
}

type Compared = 'same' | 'applied' | Difference

/** Compares it, and closes the tasks about it whose cause is gone. */
export async function compareRecurring(
  ports: PaymentPorts,
  unit: PaymentUnit,
  { provider, open }: Comparison,
  listed: ListedRecurring,
): Promise<Compared> {
  const { recurringRef, isRunning, paymentId, amount } = listed
  const outcome = await compare(ports, unit, provider, listed)
  if (!open.has(recurringRef)) return outcome
  const { tx } = unit
  const end = { now: ports.clock(), why: 'found_right' } as const
  const { membership: before } = await lockForm(tx, paymentId)
  const membership = before && (await lockMembership(tx, before.id))
  const isOwn = membership?.recurringRef === recurringRef && membership.provider === provider
  const about = { provider, ref: recurringRef }
  if (!isOwn && !isRunning) {
    await closeDifferences(tx, about, ['recurring_unknown', 'recurring_amount'], end.now)
    await closeTasksOf(tx, ['stop_charges'], { recurringRef }, end)
  }
  if (isOwn) await closeDifferences(tx, about, ['recurring_unknown'], end.now)
  if (isOwn && wantedAmount(membership) === (isRunning ? amount : 0)) {
    await closeDifferences(tx, about, ['recurring_amount'], end.now)
    await closeTasksOf(tx, recurringTasks, { paymentId: membership.id }, end)
  }
  return outcome
}

/** Whether a form takes no money, and no notice has reported its card. */
const isUnregistered = (form: PaymentRow, membership: MembershipRow, provider: string): boolean =>
  form.registersOnly &&
  form.state !== 'registered' &&
  form.provider === provider &&
  membership.state !== 'ended'

/** A stop in the provider's own panel sends no notice, so that the list is the first to show it. */
async function compare(
  ports: PaymentPorts,
  unit: PaymentUnit,
  provider: string,
  { recurringRef, paymentId, amount, isRunning, cardExpires }: ListedRecurring,
): Promise<Compared> {
  const { tx } = unit
  const { payment: form, membership } = await lockForm(tx, paymentId)
  const at = { now: ports.clock(), publicUrl: ports.settings.publicUrl }
  // The notice of a registered card was lost.
  if (isRunning && form && membership && isUnregistered(form, membership, provider)) {
    const card = { provider, recurringRef, cardExpires }
    if (await registerCard(unit, form, membership, card, at)) return 'applied'
  }
  if (!membership || membership.recurringRef !== recurringRef || membership.provider !== provider) {
    if (!isRunning) return 'same'
    await unit.enqueue('recurring.stop', { provider, recurringRef })
    const about = { provider, chargeRef: recurringRef, paymentId: form?.id ?? null, amount }
    return report(ports, unit, 'recurring_unknown', about)
  }
  if (cardExpires !== undefined && cardExpires !== membership.cardExpires)
    await setMembership(tx, membership.id, { cardExpires })
  const charged = isRunning ? amount : 0
  if (charged === membership.chargedAmount) return 'same'
  if (charged === 0) {
    await applyEvent(unit, membership, { is: 'charges_stopped', why: 'cancelled' }, at)
    await setMembership(tx, membership.id, { chargedAmount: 0 })
    return 'applied'
  }
  await setMembership(tx, membership.id, { chargedAmount: charged })
  // Staff have changed it in the provider's panel.
  if (charged === wantedAmount(membership)) return 'applied'
  // The job sets the right amount at the provider.
  await unit.enqueue('membership.charges', { membershipId: membership.id })
  const about = { provider, chargeRef: recurringRef, paymentId: membership.id, amount }
  return report(ports, unit, 'recurring_amount', about)
}
