// Handles a stored notice of the provider once, in one transaction.
import type {
  Notice,
  NoticeProblem,
  PaymentProvider,
  StopNotice,
} from '#server/adapters/payments/provider.ts'
import { type NoticeRefusal, noticeRefusal } from '#server/rules/money/notice.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { applyEvent } from '#server/services/memberships/change.ts'
import { planAmountsOf } from '#server/services/memberships/amounts.ts'
import { applyPlanCharge } from '#server/services/memberships/charge.ts'
import type { Db } from '#server/store/database.ts'
import { findByAcid, lockMembership, type MembershipRow } from '#server/store/memberships/memberships.ts'
import { CARD_REFUSED, lockNotice, type NoticeRow, setNoticeHandled } from '#server/store/payments/notices.ts'
import { addTask } from '#server/store/payments/operator-tasks.ts'
import { lockPayment, type PaymentRow, setPayment } from '#server/store/payments/payments.ts'
import { applyCharge } from '#server/services/payments/charge.ts'
import { expectedAuthId } from '#server/services/payments/identifiers.ts'
import { publishPayment } from '#server/services/payments/live.ts'
import type { PaymentPorts, PaymentUnit } from '#server/services/payments/ports.ts'
import { stateOfPayment } from '#server/services/payments/state.ts'

export interface HandledNotice {
  /** `granted`, `unchanged`, `surplus`, `foreign`, `card_refused`, `renewal_failed`, `stopped`, or `refused:` and why. */
  readonly outcome: string
  /** The payment that it names, if there is one. */
  readonly paymentId: string | null
  /** Whether the operator has to examine it. */
  readonly alerts: boolean
}

/**
 * Handles a notice. Only this grants access to what was paid for.
 * @returns undefined when it was handled before, and for a provider that is not configured now
 */
export function handleNotice(ports: PaymentPorts, noticeId: string): Promise<HandledNotice | undefined> {
  const { transaction, clock, paymentProvider: provider } = ports
  return transaction(async (unit) => {
    const row = await lockNotice(unit.tx, noticeId)
    if (!row || row.handledAt !== null || row.provider !== provider?.name) return undefined
    const handled = await handle(ports, unit, row, provider)
    const { outcome, paymentId } = handled
    await setNoticeHandled(unit.tx, row.id, { outcome, paymentId }, clock())
    if (handled.alerts) {
      const details = { notice: row.id, gid: row.gid, why: outcome }
      await addTask(unit.tx, { kind: 'notice_mismatch', paymentId, details }, clock())
    }
    return handled
  })
}

async function handle(
  ports: PaymentPorts,
  unit: PaymentUnit,
  row: NoticeRow,
  provider: PaymentProvider,
): Promise<HandledNotice> {
  const reading = provider.readNotice(row.raw)
  if (reading.is === 'problem') return refusal(reading.why, null)
  if (reading.is === 'stop') return handleStop(ports, unit, reading.notice, provider.name)
  const { notice } = reading
  const payment = await lockPayment(unit.tx, notice.paymentId)
  const membership = payment?.kind === 'plan' ? await lockMembership(unit.tx, payment.id) : undefined
  const noticed = payment && (await noticedOf(ports, unit.tx, payment, membership, { provider, notice }))
  const why = noticeRefusal(notice, noticed)
  if (!payment || why) return refusal(why ?? 'unknown', payment?.id ?? null)
  if (notice.result === '1')
    return handleCharge(ports, unit, payment, { ...notice, receivedAt: row.receivedAt }, provider.name)
  // A refused card of a form that was paid before changes nothing.
  if (membership)
    return membership.acid === notice.acid ? fail(ports, unit, membership, notice) : cardRefused(payment)
  const step = paymentStep(stateOfPayment(payment), { is: 'refused' })
  if (step.is === 'moved') {
    await setPayment(unit.tx, payment.id, { state: step.state })
    publishPayment(unit, { ...payment, state: step.state })
  }
  return cardRefused(payment)
}

const cardRefused = ({ id }: PaymentRow): HandledNotice => ({
  outcome: CARD_REFUSED,
  paymentId: id,
  alerts: false,
})

async function handleCharge(
  { clock, settings }: PaymentPorts,
  unit: PaymentUnit,
  payment: PaymentRow,
  { gid, total, acid, receivedAt }: Notice & { readonly receivedAt: Date },
  provider: string,
): Promise<HandledNotice> {
  const charge = { provider, gid, amount: total }
  const at = { now: clock(), publicUrl: settings.publicUrl }
  const outcome =
    payment.kind === 'post'
      ? await applyCharge(unit, payment, charge, at)
      : await applyPlanCharge(unit, payment, { ...charge, acid, chargedAt: receivedAt.getTime() }, at)
  // A surplus charge has a task of its own.
  return { outcome, paymentId: payment.id, alerts: outcome === 'foreign' }
}

/** A notice about a recurring charge that has nothing of the form but the payment's id. */
async function handleStop(
  ports: PaymentPorts,
  unit: PaymentUnit,
  notice: StopNotice,
  provider: string,
): Promise<HandledNotice> {
  const { tx } = unit
  const { paymentId, acid } = notice
  const id = paymentId === '' ? (await findByAcid(tx, provider, acid))?.id : paymentId
  const payment = id === undefined ? undefined : await lockPayment(tx, id)
  const membership = payment && (await lockMembership(tx, payment.id))
  if (!payment || membership?.provider !== provider) return refusal('unknown', payment?.id ?? null)
  if (acid !== '' && acid !== membership.acid) return refusal('acid', payment.id)
  return fail(ports, unit, membership, notice)
}

/** A recurring charge failed, or was stopped by the provider or, there, by the member. */
async function fail(
  { clock, settings }: PaymentPorts,
  unit: PaymentUnit,
  membership: MembershipRow,
  { result }: Pick<StopNotice, 'result'>,
): Promise<HandledNotice> {
  const at = { now: clock(), publicUrl: settings.publicUrl }
  const paymentId = membership.id
  if (result === '3') {
    await applyEvent(unit, membership, { is: 'renewal_failed', triedAt: at.now }, at)
    return { outcome: 'renewal_failed', paymentId, alerts: false }
  }
  const why = result === '4' ? 'cancelled' : 'payment_failed'
  await applyEvent(unit, membership, { is: 'charges_stopped', why }, at)
  return { outcome: 'stopped', paymentId, alerts: false }
}

const refusal = (why: NoticeRefusal | NoticeProblem, paymentId: string | null): HandledNotice => ({
  outcome: `refused:${why}`,
  paymentId,
  alerts: true,
})

async function noticedOf(
  { secrets }: PaymentPorts,
  tx: Db,
  payment: PaymentRow,
  membership: MembershipRow | undefined,
  { provider: { storeId }, notice }: { readonly provider: PaymentProvider; readonly notice: Notice },
) {
  const { id, sessionId, kind, amount } = payment
  const isPlan = kind === 'plan'
  const amounts = isPlan ? await planAmountsOf(tx, payment, membership, notice) : [amount]
  const authId = expectedAuthId(secrets, payment, storeId)
  return { id, sessionId, storeId, authId, amounts, isRecurring: isPlan }
}
