// Handles a stored notice of the provider once, in one transaction.
import type { Notice, PaymentProvider } from '#server/adapters/payments/provider.ts'
import { noticeDecision } from '#server/rules/money/notice.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { CARD_REFUSED, lockNotice, type NoticeRow, setNoticeHandled } from '#server/store/payments/notices.ts'
import { addTask } from '#server/store/payments/operator-tasks.ts'
import { lockPayment, type PaymentRow, setPayment } from '#server/store/payments/payments.ts'
import { applyCharge } from './charge.ts'
import { authIdOf } from './identifiers.ts'
import { publishPayment } from './live.ts'
import type { PaymentPorts, PaymentUnit } from './ports.ts'

export interface HandledNotice {
  /** `granted`, `unchanged`, `surplus`, `foreign`, `card_refused`, or `refused:` and why. */
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
  { raw }: NoticeRow,
  provider: PaymentProvider,
): Promise<HandledNotice> {
  const reading = provider.readNotice(raw)
  if (reading.is === 'problem') return refusal(reading.why, null)
  const { notice } = reading
  const payment = await lockPayment(unit.tx, notice.paymentId)
  const decision = noticeDecision(notice, payment && noticedOf(ports, payment, provider.storeId))
  if (!payment || decision.is === 'refused')
    return refusal(decision.is === 'refused' ? decision.why : 'unknown', payment?.id ?? null)
  const { event } = decision
  if (event.is === 'charged') return handleCharge(ports, unit, payment, notice, provider.name)
  const step = paymentStep(stepOf(payment), event)
  if (step.is === 'moved') {
    await setPayment(unit.tx, payment.id, { state: step.state })
    publishPayment(unit, { ...payment, state: step.state })
  }
  return { outcome: CARD_REFUSED, paymentId: payment.id, alerts: false }
}

async function handleCharge(
  { clock, settings }: PaymentPorts,
  unit: PaymentUnit,
  payment: PaymentRow,
  { gid, total }: Notice,
  provider: string,
): Promise<HandledNotice> {
  const charge = { provider, gid, amount: total }
  const at = { now: clock(), publicUrl: settings.publicUrl }
  const outcome = await applyCharge(unit, payment, charge, at)
  // A surplus charge has a task of its own.
  return { outcome, paymentId: payment.id, alerts: outcome === 'foreign' }
}

const refusal = (why: string, paymentId: string | null): HandledNotice => ({
  outcome: `refused:${why}`,
  paymentId,
  alerts: true,
})

const stepOf = ({ state, amount, chargeGid }: PaymentRow) => ({ state, amount, chargeId: chargeGid })

function noticedOf({ secrets }: PaymentPorts, payment: PaymentRow, storeId: string) {
  const { id, sessionId } = payment
  return { ...stepOf(payment), id, sessionId, storeId, authId: authIdOf(secrets, payment, storeId) }
}
