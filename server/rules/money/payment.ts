// State machine of one payment: a form at the provider that pays once.
import type { paymentStates } from '#contract/payments/payments.ts'

export type PaymentState = (typeof paymentStates)[number]

export interface Payment {
  readonly state: PaymentState
  /** What the buyer confirmed, whole yen. */
  readonly amount: number
  /** The provider's number (gid) of the charge that paid; null before. */
  readonly chargeId: string | null
}

export type PaymentEvent =
  /** The form was made for the buyer's browser. */
  | { readonly is: 'form_made' }
  | { readonly is: 'charged'; readonly chargeId: string; readonly amount: number }
  /** The card or the 3-D Secure check was refused. */
  | { readonly is: 'refused' }
  /** No result came in time. */
  | { readonly is: 'timed_out' }
  | { readonly is: 'refunded'; readonly chargeId: string }
  | { readonly is: 'disputed'; readonly chargeId: string }

export type PaymentStep =
  /** `access`: what the new state does to the buyer's access. */
  | { readonly is: 'moved'; readonly state: PaymentState; readonly access: 'granted' | 'revoked' | 'same' }
  /** A repeated or late event changes nothing. */
  | { readonly is: 'unchanged' }
  /** Money was taken that pays for nothing: it is refunded, and the operator is alerted. */
  | { readonly is: 'surplus' }
  /** The event is about a charge that never paid this payment: the operator is alerted. */
  | { readonly is: 'foreign' }

const moved = (state: PaymentState, access: 'granted' | 'revoked' | 'same' = 'same'): PaymentStep => ({
  is: 'moved',
  state,
  access,
})
const unchanged: PaymentStep = { is: 'unchanged' }
const surplus: PaymentStep = { is: 'surplus' }

/**
 * The result of an event on a payment: access is granted by at most one charge, and every other charge is surplus. A charge
 * of another amount than the confirmed one grants nothing. A charge is real even after a refusal or a timeout: the notice
 * was late. The caller handles each charge once (its number is unique), since a surplus one has no state here, and applies
 * a `foreign` refund or dispute again after its charge.
 */
export function paymentStep(payment: Payment, event: PaymentEvent): PaymentStep {
  switch (event.is) {
    case 'form_made':
      return payment.state === 'created' ? moved('pending') : unchanged
    case 'charged':
      return charged(payment, event)
    case 'refused':
      return isOpen(payment) ? moved('refused') : unchanged
    case 'timed_out':
      return isOpen(payment) ? moved('expired') : unchanged
    case 'refunded':
      return takenBack(payment, event.chargeId, 'refunded')
    case 'disputed':
      return takenBack(payment, event.chargeId, 'disputed')
    default:
      return event satisfies never
  }
}

const isOpen = ({ state }: Payment): boolean => state === 'created' || state === 'pending'

function charged(payment: Payment, { chargeId, amount }: { chargeId: string; amount: number }): PaymentStep {
  if (payment.chargeId !== null) return payment.chargeId === chargeId ? unchanged : surplus
  return amount === payment.amount ? moved('paid', 'granted') : surplus
}

/** A dispute may follow a payment, and a refund may end a dispute; access is revoked by the first of them. */
function takenBack(payment: Payment, chargeId: string, to: 'refunded' | 'disputed'): PaymentStep {
  if (payment.chargeId !== chargeId) return { is: 'foreign' }
  switch (payment.state) {
    case 'paid':
      return moved(to, 'revoked')
    case 'disputed':
      return to === 'refunded' ? moved(to) : unchanged
    default:
      return unchanged
  }
}
