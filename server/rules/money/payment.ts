// State machine of one payment: a form at the provider that pays once.
import type { paymentStates } from '#contract/payments/payments.ts'

export type PaymentState = (typeof paymentStates)[number]

export interface Payment {
  readonly state: PaymentState
  /** What the buyer confirmed, whole yen. */
  readonly amount: number
  /** The provider's number of the charge that paid; null before. */
  readonly chargeId: string | null
  /** What was refunded of it, whole yen. */
  readonly refunded: number
}

export type PaymentEvent =
  /** The form was made for the buyer's browser. */
  | { readonly is: 'form_made' }
  | { readonly is: 'charged'; readonly chargeId: string; readonly amount: number }
  /** The form registered a card, and took no money. */
  | { readonly is: 'registered' }
  /** The card or the 3-D Secure check was refused. */
  | { readonly is: 'refused' }
  /** No result came in time. */
  | { readonly is: 'timed_out' }
  /** `amount`: whole yen, more than 0. */
  | { readonly is: 'refunded'; readonly chargeId: string; readonly amount: number }
  /** The card company took the money back, and examines the charge. */
  | { readonly is: 'disputed'; readonly chargeId: string }
  | { readonly is: 'dispute_decided'; readonly chargeId: string; readonly isWon: boolean }

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
    case 'registered':
      // Also after a refusal or a timeout, since the notice may be late.
      return payment.chargeId === null && payment.state !== 'registered' ? moved('registered') : unchanged
    case 'refused':
      return isOpen(payment) ? moved('refused') : unchanged
    case 'timed_out':
      return isOpen(payment) ? moved('expired') : unchanged
    case 'refunded':
    case 'disputed':
    case 'dispute_decided':
      return payment.chargeId === event.chargeId ? takenBack(payment, event) : { is: 'foreign' }
    default:
      return event satisfies never
  }
}

const isOpen = ({ state }: Payment): boolean => state === 'created' || state === 'pending'

function charged(payment: Payment, { chargeId, amount }: { chargeId: string; amount: number }): PaymentStep {
  if (payment.chargeId !== null) return payment.chargeId === chargeId ? unchanged : surplus
  return amount === payment.amount ? moved('paid', 'granted') : surplus
}

type TakenBack = Extract<PaymentEvent, { is: 'refunded' | 'disputed' | 'dispute_decided' }>

/**
 * A refund of a part leaves the payment as it is; that of the rest revokes access, as a dispute does. While the card company has
 * the money, no refund is made, since the buyer would get it twice. A lost dispute is a refund by the card company.
 */
function takenBack({ state, amount, refunded }: Payment, event: TakenBack): PaymentStep {
  switch (event.is) {
    case 'refunded': {
      const left = amount - refunded - event.amount
      if (state !== 'paid' || left < 0) return unchanged
      return left === 0 ? moved('refunded', 'revoked') : moved('paid')
    }
    case 'disputed':
      return state === 'paid' ? moved('disputed', 'revoked') : unchanged
    case 'dispute_decided':
      if (state !== 'disputed') return unchanged
      return event.isWon ? moved('paid', 'granted') : moved('refunded')
    default:
      return event satisfies never
  }
}
