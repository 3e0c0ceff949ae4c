// Handles notices that money of a charge was returned, or taken by the card company.
import type { TakenBackNotice } from '#server/adapters/payments/provider.ts'
import type { PaymentPorts, PaymentUnit } from '#server/services/payments/ports.ts'
import { findChargeByRef } from '#server/store/payments/charges.ts'
import { findPayment, lockPayment } from '#server/store/payments/payments.ts'
import { isExaminedHere, isReturnedHere, report } from './differences.ts'
import type { HandledNotice } from './handle-notice.ts'

/**
 * What the app has refunded or what is disputed here needs nothing. Otherwise the operator gets one task, as when the nightly
 * comparison finds it: who returned the money, and what the card company charges for it, is on no notice.
 */
export async function handleTakenBack(
  ports: PaymentPorts,
  unit: PaymentUnit,
  { is, chargeRef, paymentId, amount }: TakenBackNotice,
  provider: string,
): Promise<HandledNotice> {
  const { tx } = unit
  const known = await findChargeByRef(tx, provider, chargeRef)
  const payment = known && (await lockPayment(tx, known.paymentId))
  const isSettled = is === 'refunded' ? isReturnedHere : isExaminedHere
  if (known && isSettled(known, payment, amount))
    return { outcome: 'unchanged', paymentId: known.paymentId, alerts: false }
  // Its charge may not have been noticed yet.
  const named = payment ?? (paymentId === '' ? undefined : await findPayment(tx, paymentId))
  const isOfProvider = (named?.provider ?? provider) === provider
  const about = { provider, chargeRef, paymentId: isOfProvider ? (named?.id ?? null) : null, amount }
  const why = is === 'refunded' ? 'refunded_there' : 'disputed_there'
  await report(ports, unit, why, about)
  return { outcome: why, paymentId: about.paymentId, alerts: false }
}
