// Compares a notice of the provider with the payment that it names.

/** The values of a notice that are compared. */
export interface NoticeFacts {
  /** What it reports, such as `charged`. */
  readonly is: string
  /** The provider that sent it. */
  readonly provider: string
  /** The provider's number of the recurring charge; '' without one. */
  readonly recurringRef: string
  readonly paymentId: string
  readonly sessionId: string
  readonly authId: string
  /** Null where the provider leaves it out. */
  readonly storeId: string | null
  /** '' where the notice has none. */
  readonly orderCode: string
  /** Whole yen. */
  readonly amount: number
}

/** What a true notice of the stored payment has. */
export interface NoticedPayment {
  readonly id: string
  /** The provider at which it was begun; null for a payment of an earlier version. */
  readonly provider: string | null
  readonly sessionId: string
  /** Computed again from the stored id, kind and amount. */
  readonly authId: string
  readonly storeId: string
  /** The amounts that it can have, whole yen. */
  readonly amounts: readonly number[]
  /** Whether its charges belong to a recurring charge. */
  readonly isRecurring: boolean
}

/** Why a notice that could be read changes nothing. */
export type NoticeRefusal =
  | 'unknown'
  | 'provider'
  | 'store'
  | 'auth'
  | 'session'
  | 'code'
  | 'amount'
  | 'recurring'

/**
 * Compares a notice with the payment that it names. The buyer saw every field of the form, so all of them are compared,
 * and a difference in any of them changes nothing.
 * @param payment undefined when no payment has the id
 * @returns undefined for a true notice
 */
export function noticeRefusal(
  notice: NoticeFacts,
  payment: NoticedPayment | undefined,
): NoticeRefusal | undefined {
  if (!payment || payment.id !== notice.paymentId) return 'unknown'
  if (payment.provider !== null && payment.provider !== notice.provider) return 'provider'
  if (notice.storeId !== null && notice.storeId !== payment.storeId) return 'store'
  if (notice.authId !== payment.authId) return 'auth'
  if (notice.sessionId !== payment.sessionId) return 'session'
  if (notice.orderCode !== '' && notice.orderCode !== payment.id) return 'code'
  // Without its number the recurring charge could not be stopped.
  if (
    payment.isRecurring &&
    (notice.is === 'charged' || notice.is === 'registered') &&
    notice.recurringRef === ''
  )
    return 'recurring'
  return payment.amounts.includes(notice.amount) ? undefined : 'amount'
}
