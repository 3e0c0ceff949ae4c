// The fields of the provider's card form (specification section 7).
import type { PaymentForm, PaymentRequest } from './provider.ts'

export interface Shop {
  readonly storeId: string
  /** Whether forms have `cod`, the payment's id once more. */
  readonly sendsCod: boolean
  /** `jb` of the first charge of a plan. */
  readonly planJob: string
  /** `jb` of a form that takes no money. */
  readonly cardJob: string
}

/** The fields in their order. `aofm`, which the provider passes over, repeats the amount. */
export function formFields(
  payment: PaymentRequest,
  { storeId, sendsCod, planJob, cardJob }: Shop,
): PaymentForm['fields'] {
  const { chargeDay, registersOnly } = payment
  const amount = String(payment.amount)
  const field = (name: string, value: string) => ({ name, value })
  return [
    field('am', registersOnly ? '0' : amount),
    field('sf', '0'),
    field('aofm', amount),
    field('tx', '0'),
    field('jb', chargeDay === null ? 'CAPTURE' : registersOnly ? cardJob : planJob),
    field('aid', storeId),
    field('payment_id', payment.id),
    field('session_id', payment.sessionId),
    field('auth_id', payment.authId),
    field('inm', payment.itemName),
    ...(sendsCod ? [field('cod', payment.id)] : []),
    ...(chargeDay === null
      ? []
      : [
          field('acam', amount),
          field('actx', '0'),
          field('acsf', '0'),
          // Each month, on the day of the next field.
          field('actp', '4'),
          field('ac1', String(chargeDay)),
        ]),
  ]
}
