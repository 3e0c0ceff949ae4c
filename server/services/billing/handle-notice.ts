// Handles a stored notice of a provider once, in one transaction.
import type {
  BareNotice,
  NoticeProblem,
  PassedThrough,
  PaymentProvider,
  PaymentNotice,
  RecurringNotice,
} from '#server/adapters/payments/provider.ts'
import { type NoticeRefusal, noticeRefusal } from '#server/rules/money/notice.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { applyEvent } from '#server/services/memberships/change.ts'
import { planAmountsOf } from '#server/services/memberships/amounts.ts'
import { type NewCard, registerCard } from '#server/services/memberships/card.ts'
import { applyPlanCharge } from '#server/services/memberships/charge.ts'
import type { Db } from '#server/store/database.ts'
import {
  findByRecurringRef,
  isFormOf,
  lockForm,
  type MembershipRow,
} from '#server/store/memberships/memberships.ts'
import {
  CARD_REFUSED,
  lockNotice,
  type NoticeRow,
  setNoticeHandled,
  wasTakenBack,
} from '#server/store/payments/notices.ts'
import { noteRefused } from '#server/store/payments/notice-tasks.ts'
import { type PaymentRow, setPayment } from '#server/store/payments/payments.ts'
import { applyCharge } from '#server/services/payments/charge.ts'
import { expectedAuthId } from '#server/services/payments/identifiers.ts'
import { publishPayment } from '#server/services/payments/live.ts'
import type { PaymentPorts, PaymentUnit } from '#server/services/payments/ports.ts'
import { stateOfPayment } from '#server/services/payments/state.ts'
import { handleTakenBack } from './taken-back.ts'

export interface HandledNotice {
  /**
   * `granted`, `registered`, `unchanged`, `surplus`, `foreign`, `card_refused`, `renewal_failed`, `stopped`, `pending`, `expired`,
   * `refunded_there`, `disputed_there`, `taken_back` of a charge that follows one of these two, or `refused:` and why.
   */
  readonly outcome: string
  /** The payment that it names, if there is one. */
  readonly paymentId: string | null
  /** Whether the operator has to examine it. */
  readonly alerts: boolean
}

/**
 * Handles a notice. Only this grants access to what was paid for.
 * @returns undefined when it was handled before, and for a provider that is not open
 */
export function handleNotice(ports: PaymentPorts, noticeId: string): Promise<HandledNotice | undefined> {
  const { transaction, clock, paymentProviders } = ports
  return transaction(async (unit) => {
    const row = await lockNotice(unit.tx, noticeId)
    const provider = row && paymentProviders.of(row.provider)
    if (!row || row.handledAt !== null || !provider) return undefined
    const handled = await handle(ports, unit, row, provider)
    const { outcome, paymentId } = handled
    await setNoticeHandled(unit.tx, row.id, { outcome, paymentId }, clock())
    if (handled.alerts) {
      const { id: notice, chargeRef, provider: name } = row
      await noteRefused(unit.tx, { notice, provider: name, chargeRef, paymentId, why: outcome }, clock())
    }
    return handled
  })
}

/** A notice as its provider reads it, from its row. */
const readingOf = (row: NoticeRow, provider: PaymentProvider) =>
  provider.readNotice({
    method: row.method,
    query: row.raw,
    headers: row.headers ?? {},
    body: Buffer.from(row.body ?? '', 'base64'),
    receivedAt: row.receivedAt.getTime(),
  })

async function handle(
  ports: PaymentPorts,
  unit: PaymentUnit,
  row: NoticeRow,
  provider: PaymentProvider,
): Promise<HandledNotice> {
  const reading = readingOf(row, provider)
  if (reading.is === 'problem') return refusal(reading.why, null)
  const { event } = reading
  if (event.is === 'refunded' || event.is === 'disputed')
    return handleTakenBack(ports, unit, event, provider.name)
  if (!('passed' in event)) return handleBare(ports, unit, event, provider.name)
  const { passed } = event
  const { payment, membership } = await lockForm(unit.tx, passed.paymentId)
  const noticed =
    payment && (await noticedOf(ports, unit.tx, payment, membership, { provider, event, passed }))
  const { is, recurringRef } = event
  const why = noticeRefusal({ is, provider: provider.name, recurringRef, ...passed }, noticed)
  if (!payment || why) return refusal(why ?? 'unknown', payment?.id ?? null)
  switch (event.is) {
    case 'charged': {
      const { chargeRef, cardExpires } = event
      const charge = { provider: provider.name, chargeRef, amount: passed.amount, recurringRef, cardExpires }
      return handleCharge(ports, unit, payment, { ...charge, chargedAt: row.receivedAt.getTime() })
    }
    case 'registered': {
      const { cardExpires } = event
      return register(
        ports,
        unit,
        { payment, membership },
        { provider: provider.name, recurringRef, cardExpires },
      )
    }
    case 'pending':
      return { outcome: 'pending', paymentId: payment.id, alerts: false }
    case 'expired':
      return giveUp(unit, payment)
    case 'refused':
      return refuseCard(unit, payment)
    case 'renewal_failed':
    case 'stopped':
      // The card of a form that was paid before was refused, or that of the first month.
      return membership && membership.recurringRef === recurringRef
        ? fail(ports, unit, membership, event)
        : refuseCard(unit, payment)
    default:
      return event satisfies never
  }
}

/** A form that takes no money has registered a card. */
async function register(
  { clock, settings }: PaymentPorts,
  unit: PaymentUnit,
  { payment, membership }: { readonly payment: PaymentRow; readonly membership: MembershipRow | undefined },
  card: NewCard,
): Promise<HandledNotice> {
  const at = { now: clock(), publicUrl: settings.publicUrl }
  const isRegistered = membership && (await registerCard(unit, payment, membership, card, at))
  return { outcome: isRegistered ? 'registered' : 'unchanged', paymentId: payment.id, alerts: false }
}

/** A refused card of a form that was paid before changes nothing. */
async function refuseCard(unit: PaymentUnit, payment: PaymentRow): Promise<HandledNotice> {
  await move(unit, payment, 'refused')
  return { outcome: CARD_REFUSED, paymentId: payment.id, alerts: false }
}

/** The buyer gave up at the provider. A late charge still pays. */
async function giveUp(unit: PaymentUnit, payment: PaymentRow): Promise<HandledNotice> {
  const isMoved = await move(unit, payment, 'timed_out')
  return { outcome: isMoved ? 'expired' : 'unchanged', paymentId: payment.id, alerts: false }
}

async function move(unit: PaymentUnit, payment: PaymentRow, is: 'refused' | 'timed_out'): Promise<boolean> {
  const step = paymentStep(stateOfPayment(payment), { is })
  if (step.is !== 'moved') return false
  await setPayment(unit.tx, payment.id, { state: step.state })
  publishPayment(unit, { ...payment, state: step.state })
  return true
}

interface NoticedCharge {
  readonly provider: string
  readonly chargeRef: string
  readonly recurringRef: string
  /** Whole yen. */
  readonly amount: number
  /** ms since 1970 */
  readonly chargedAt: number
  /** The last month of the card, `YYYY-MM`; undefined where the provider does not say it. */
  readonly cardExpires: string | undefined
}

async function handleCharge(
  ports: PaymentPorts,
  unit: PaymentUnit,
  payment: PaymentRow,
  charge: NoticedCharge,
): Promise<HandledNotice> {
  const { provider, chargeRef, amount } = charge
  // Its notices came in another order: money that is back already pays for nothing. The first of them made the task.
  if (await wasTakenBack(unit.tx, provider, chargeRef))
    return { outcome: 'taken_back', paymentId: payment.id, alerts: false }
  const at = { now: ports.clock(), publicUrl: ports.settings.publicUrl }
  const outcome =
    payment.kind === 'post'
      ? await applyCharge(unit, payment, { provider, chargeRef, amount }, at)
      : await applyPlanCharge(unit, payment, charge, at)
  // A surplus charge has a task of its own.
  return { outcome, paymentId: payment.id, alerts: outcome === 'foreign' }
}

/** A notice about a recurring charge that has nothing but its numbers. */
async function handleBare(
  ports: PaymentPorts,
  unit: PaymentUnit,
  event: BareNotice,
  provider: string,
): Promise<HandledNotice> {
  const { tx } = unit
  const { paymentId, recurringRef } = event
  const id = paymentId === '' ? await formWith(tx, provider, recurringRef) : paymentId
  const { payment, membership } = id === undefined ? noForm : await lockForm(tx, id)
  if (!payment || !membership) return refusal('unknown', payment?.id ?? null)
  if ((payment.provider ?? provider) !== provider) return refusal('provider', payment.id)
  // Another card has replaced the one that it is about, or has not yet.
  if (!isFormOf(membership, payment)) return { outcome: 'unchanged', paymentId: payment.id, alerts: false }
  if (membership.provider !== provider) return refusal('provider', payment.id)
  if (recurringRef !== '' && recurringRef !== membership.recurringRef) return refusal('recurring', payment.id)
  return fail(ports, unit, membership, event)
}

const noForm = { payment: undefined, membership: undefined }

/** The form that began the recurring charge of a membership. */
async function formWith(tx: Db, provider: string, recurringRef: string): Promise<string | undefined> {
  const membership = await findByRecurringRef(tx, provider, recurringRef)
  return membership?.formId ?? membership?.id
}

/** A recurring charge failed, or was stopped by the provider or, there, by the member. */
async function fail(
  { clock, settings }: PaymentPorts,
  unit: PaymentUnit,
  membership: MembershipRow,
  event: RecurringNotice | BareNotice,
): Promise<HandledNotice> {
  const at = { now: clock(), publicUrl: settings.publicUrl }
  const paymentId = membership.id
  if (event.is === 'renewal_failed') {
    await applyEvent(unit, membership, { is: 'renewal_failed', triedAt: at.now }, at)
    return { outcome: 'renewal_failed', paymentId, alerts: false }
  }
  const why = event.by === 'buyer' ? 'cancelled' : 'payment_failed'
  await applyEvent(unit, membership, { is: 'charges_stopped', why }, at)
  return { outcome: 'stopped', paymentId, alerts: false }
}

const refusal = (why: NoticeRefusal | NoticeProblem, paymentId: string | null): HandledNotice => ({
  outcome: `refused:${why}`,
  paymentId,
  alerts: true,
})

interface Noticed {
  readonly provider: PaymentProvider
  readonly event: PaymentNotice | RecurringNotice
  readonly passed: PassedThrough
}

async function noticedOf(
  { secrets }: PaymentPorts,
  tx: Db,
  payment: PaymentRow,
  membership: MembershipRow | undefined,
  { provider: { storeId }, event: { is, recurringRef }, passed: { amount } }: Noticed,
) {
  const { id, sessionId, kind } = payment
  const isPlan = kind === 'plan'
  const amounts = isPlan
    ? await planAmountsOf(tx, payment, membership, { recurringRef, amount })
    : [payment.amount]
  const authId = expectedAuthId(secrets, payment, storeId)
  const isCurrent = membership !== undefined && isFormOf(membership, payment)
  const provider = payment.provider ?? (isCurrent ? membership.provider : null)
  const isRegistration = is === 'registered' && payment.registersOnly
  return {
    id,
    provider,
    sessionId,
    storeId,
    authId,
    amounts: isRegistration ? [0] : amounts,
    isRecurring: isPlan,
  }
}
