// The fields of the provider's card form for a one-time payment (specification section 7).
import type { FormPayment, PaymentForm } from './provider.ts'

interface Shop {
  readonly storeId: string
  readonly sendsCod: boolean
}

/** The fields in their order. `aofm`, which the provider passes over, repeats the amount. */
export function formFields(payment: FormPayment, { storeId, sendsCod }: Shop): PaymentForm['fields'] {
  const amount = String(payment.amount)
  const field = (name: string, value: string) => ({ name, value })
  const fields = [
    field('am', amount),
    field('sf', '0'),
    field('aofm', amount),
    field('tx', '0'),
    field('jb', 'CAPTURE'),
    field('aid', storeId),
    field('payment_id', payment.id),
    field('session_id', payment.sessionId),
    field('auth_id', payment.authId),
    field('inm', payment.itemName),
  ]
  return sendsCod ? [...fields, field('cod', payment.id)] : fields
}
