// What the two sandboxes send and get, which is all in which they differ.
import type { SandboxCharge, SandboxName, SandboxRecurring } from '#server/store/payments/sandbox.ts'
import { formWire } from './form-wire.ts'
import { hostedWire } from './hosted-wire.ts'

/** What became of a charge. `registered`: it took no money, and its card is charged from the next month on. */
export type ChargeResult =
  | 'charged'
  | 'registered'
  | 'refused'
  | 'refused_3ds'
  | 'renewal_failed'
  | 'pending'
  | 'expired'

/** What a notice says on purpose in place of the truth; null for the truth. */
export interface Falsified {
  /** Whole yen. */
  readonly amount: number | null
  readonly store: string | null
}

/** What the app gave with a payment, by the provider's names. */
type Fields = SandboxCharge['fields']

/** A charge, with the last month of its card where that is known, `YYYY-MM`. */
export type ReportedCharge = SandboxCharge & { readonly cardExpires?: string | null }

export interface NoticeCall {
  /** Of its address, with `?`; '' without one. */
  readonly query: string
  readonly init: RequestInit
}

export interface Wire {
  readonly itemName: (fields: Fields) => string
  /** Day of the month of each further charge; '' for a single one. */
  readonly chargeDay: (fields: Fields) => string
  /** Whole yen of each further charge. */
  readonly monthly: (fields: Fields, amount: number) => number
  readonly sessionId: (fields: Fields) => string
  /** The notice of a result; undefined where the provider sends none of it. */
  readonly result: (charge: ReportedCharge, result: ChargeResult, falsified: Falsified) => string | undefined
  readonly stopped: (
    recurring: Pick<SandboxRecurring, 'recurringRef' | 'fields' | 'paymentId'>,
    by: 'provider' | 'buyer',
  ) => string
  /** The notice that money was taken back; undefined where the provider sends none. */
  readonly takenBack: (charge: SandboxCharge, is: 'refunded' | 'disputed') => string | undefined
  /** How a notice is sent. @param secret by which it is signed @param now ms since 1970 */
  readonly call: (payload: string, secret: string, now: number) => NoticeCall
}

export const wireOf = (provider: SandboxName): Wire => (provider === 'hosted-sandbox' ? hostedWire : formWire)
