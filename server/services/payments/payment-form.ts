// A begun payment as its buyer sees it, with the provider's form.
import type { ReplyOf } from '#contract/endpoint.ts'
import type { beginPayment } from '#contract/payments/payments.ts'
import type { PaymentProvider } from '#server/adapters/payments/provider.ts'
import type { PaymentRow } from '#server/store/payments/payments.ts'

/** The item's name on the provider's form: it names neither the creator nor what is sold. */
const itemNames = { post: 'とどけの有料投稿', plan: 'とどけのプラン（月額）' } as const

const isOpenState = (state: PaymentRow['state']) => state === 'created' || state === 'pending'

/** The state as people see it: an open payment whose time is over has expired, also before the sweep. */
export const shownState = (
  { state, expiresAt }: Pick<PaymentRow, 'state' | 'expiresAt'>,
  now: number,
): PaymentRow['state'] => (isOpenState(state) && expiresAt.getTime() <= now ? 'expired' : state)

/** @param provider undefined while selling is off */
export function begunView(
  payment: PaymentRow,
  provider: PaymentProvider | undefined,
  now: number,
): ReplyOf<typeof beginPayment> {
  const { id, kind, amount, ac1: chargeDay, expiresAt } = payment
  const state = shownState(payment, now)
  const form = isOpenState(state)
    ? provider?.form({ ...payment, chargeDay, itemName: itemNames[kind] })
    : undefined
  return {
    id,
    state,
    amount,
    expires_at: expiresAt.toISOString(),
    form: form ? { action: form.action, fields: [...form.fields] } : null,
  }
}
