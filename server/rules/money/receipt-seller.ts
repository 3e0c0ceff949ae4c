// How a receipt names its seller, and whether it is a qualified invoice.
import { dayOf } from './periods.ts'

/** What is known of a seller when a receipt is issued. */
export interface SellerFacts {
  /** The name by law. */
  readonly name: string
  /** `T` and 13 digits with the day from which on it is valid, `YYYY-MM-DD`; each '' without one. */
  readonly registrationNumber: string
  readonly registeredOn: string
  /** Whether the buyer may see the name now: it is published, or was disclosed to them. */
  readonly isShown: boolean
}

export interface NamedSeller {
  /** Null where the receipt has the name of the app alone. */
  readonly seller: string | null
  readonly registrationNumber: string | null
  readonly isInvoice: boolean
}

/**
 * A number was stored to be printed, and the register of the tax agency has the name with it, so a receipt with a number has the name. It is
 * the number of that day: a sale from before the registration has none. What was refunded is no invoice of its amount.
 * @param seller undefined if the creator has stored nothing
 */
export function namedSeller(
  seller: SellerFacts | undefined,
  { paidAt, refundedAmount }: { readonly paidAt: number; readonly refundedAmount: number },
): NamedSeller {
  if (!seller) return { seller: null, registrationNumber: null, isInvoice: false }
  const { name, registrationNumber: number, registeredOn, isShown } = seller
  const isRegistered = number !== '' && registeredOn !== '' && registeredOn <= dayOf(paidAt)
  if (isRegistered) return { seller: name, registrationNumber: number, isInvoice: refundedAmount === 0 }
  return { seller: isShown ? name : null, registrationNumber: null, isInvoice: false }
}

/** Whether a receipt has to say that its addressee was changed. @param addressees of all issues, the latest one last */
export const isReaddressed = (addressees: readonly string[]): boolean =>
  addressees.some((it) => it !== addressees.at(-1))
