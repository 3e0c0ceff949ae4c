// A begun payment as its buyer sees it, with the way to the provider.
import type { ReplyOf } from '#contract/endpoint.ts'
import type { beginPayment } from '#contract/payments/payments.ts'
import { PAYMENT_RETURN_PATH } from '#contract/paths.ts'
import type { PaymentForm, PaymentRequest } from '#server/adapters/payments/provider.ts'
import { ApiError } from '#server/http/errors.ts'
import type { PaymentRow } from '#server/store/payments/payments.ts'
import type { PaymentPorts } from './ports.ts'
import { providerOfPayment } from './providers.ts'

/** The item's name on the provider's form: it names neither the creator nor what is sold. */
const itemNames = {
  post: 'とどけの有料投稿',
  plan: 'とどけのプラン（月額）',
  card: 'とどけのプラン（カードの変更）',
} as const

const isOpenState = (state: PaymentRow['state']) => state === 'created' || state === 'pending'

/** The state as people see it: an open payment whose time is over has expired, also before the sweep. */
export const shownState = (
  { state, expiresAt }: Pick<PaymentRow, 'state' | 'expiresAt'>,
  now: number,
): PaymentRow['state'] => (isOpenState(state) && expiresAt.getTime() <= now ? 'expired' : state)

type Ports = Pick<PaymentPorts, 'paymentProviders' | 'settings' | 'clock'>

/** What the provider of a payment learns of it. */
function askedFor(payment: PaymentRow, { settings }: Ports): PaymentRequest {
  const { id, kind, amount, sessionId, authId, chargeDay, expiresAt, registersOnly } = payment
  const itemName = itemNames[registersOnly ? 'card' : kind]
  const query = new URLSearchParams({ payment_id: id, session_id: sessionId })
  const returnUrl = `${settings.publicUrl}${PAYMENT_RETURN_PATH}?${query.toString()}`
  return { id, amount, sessionId, authId, chargeDay, registersOnly, expiresAt, itemName, returnUrl }
}

/**
 * The provider of the payment is asked for its start.
 * @throws ApiError `unavailable` when it does not answer
 */
export async function begunView(payment: PaymentRow, ports: Ports): Promise<ReplyOf<typeof beginPayment>> {
  const { id, amount, expiresAt } = payment
  const state = shownState(payment, ports.clock())
  const provider = isOpenState(state) ? providerOfPayment(ports.paymentProviders, payment) : undefined
  const asked = askedFor(payment, ports)
  const start = (await provider?.begin(asked).catch((cause: unknown) => unanswered(cause))) ?? null
  return {
    id,
    state,
    amount,
    expires_at: expiresAt.toISOString(),
    start: start?.is === 'form' ? { is: 'form', form: formOf(start.form) } : start,
    form: start?.is === 'form' ? formOf(start.form) : null,
  }
}

const formOf = ({ action, fields }: PaymentForm) => ({ action, fields: [...fields] })

/** The failed call is on the page of the machine; the buyer may try again. */
function unanswered(cause: unknown): never {
  throw Object.assign(new ApiError('unavailable'), { cause })
}
