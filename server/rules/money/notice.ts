// What a notice of the provider means for the payment that it names.
import type { Payment, PaymentEvent } from './payment.ts'

/** The fields of a notice that are compared. */
export interface NoticeFacts {
  readonly gid: string
  /** `rst`: 1 is a charge. */
  readonly result: string
  readonly paymentId: string
  readonly sessionId: string
  readonly authId: string
  /** Null where the provider leaves it out. */
  readonly storeId: string | null
  /** '' where the form has none. */
  readonly orderCode: string
  /** Whole yen. */
  readonly total: number
}

/** The stored payment, and what a true notice of it has. */
export interface NoticedPayment extends Payment {
  readonly id: string
  readonly sessionId: string
  /** Computed again from the stored id, kind and amount. */
  readonly authId: string
  readonly storeId: string
}

/** Why a notice that could be read changes nothing. */
export type NoticeRefusal = 'unknown' | 'store' | 'auth' | 'session' | 'code' | 'amount'

export type NoticeDecision =
  | { readonly is: 'event'; readonly event: PaymentEvent }
  | { readonly is: 'refused'; readonly why: NoticeRefusal }

const refused = (why: NoticeRefusal): NoticeDecision => ({ is: 'refused', why })

/**
 * Compares a notice with the payment that it names. The buyer saw every field of the form, so all of them are compared,
 * and a difference in any of them changes nothing.
 * @param payment undefined when no payment has the id
 */
export function noticeDecision(notice: NoticeFacts, payment: NoticedPayment | undefined): NoticeDecision {
  if (!payment || payment.id !== notice.paymentId) return refused('unknown')
  if (notice.storeId !== null && notice.storeId !== payment.storeId) return refused('store')
  if (notice.authId !== payment.authId) return refused('auth')
  if (notice.sessionId !== payment.sessionId) return refused('session')
  if (notice.orderCode !== '' && notice.orderCode !== payment.id) return refused('code')
  if (notice.total !== payment.amount) return refused('amount')
  if (notice.result !== '1') return { is: 'event', event: { is: 'refused' } }
  return { is: 'event', event: { is: 'charged', chargeId: notice.gid, amount: notice.total } }
}
