// The port of a payment provider, in the words of this app.

/** A payment that a provider is asked to take. */
export interface PaymentRequest {
  readonly id: string
  /** Value of this payment for the return page, passed through. */
  readonly sessionId: string
  /** HMAC of the payment, passed through. */
  readonly authId: string
  /** Whole yen, tax included. */
  readonly amount: number
  readonly itemName: string
  /** Day of the month of each further charge of the same amount, 1 to 28; null for a single payment. */
  readonly chargeDay: number | null
  /** Whether the form takes no money: it registers a card whose first charge is on the next charge day. */
  readonly registersOnly: boolean
  /** The page of this app to which the provider's page leads back, whatever became of the payment. */
  readonly returnUrl: string
  /** From then on the app begins another payment; a charge that comes later is applied all the same. */
  readonly expiresAt: Date
}

/** A form that the buyer's browser posts. */
export interface PaymentForm {
  /** An https URL without a user, or a path of this server. */
  readonly action: string
  /** In the order of the specification (section 7). */
  readonly fields: readonly { readonly name: string; readonly value: string }[]
}

/** How the buyer's browser gets to the provider: it posts a form, or opens an address (https without a user, or a path of this server). */
export type PaymentStart =
  | { readonly is: 'form'; readonly form: PaymentForm }
  | { readonly is: 'redirect'; readonly url: string }

/** A request at the notices' address, as it arrived. */
export interface NoticeRequest {
  readonly method: string
  /** The query of the address, without `?`. */
  readonly query: string
  /** Those of `noticeHeaders`, by their names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** ms since 1970 */
  readonly receivedAt: number
}

/** What the provider passes through of the payment that a notice is about. */
export interface PassedThrough {
  readonly paymentId: string
  readonly sessionId: string
  readonly authId: string
  /** The number of the shop; null where the provider leaves it out. */
  readonly storeId: string | null
  /** The payment's id once more; '' where the provider leaves it out. */
  readonly orderCode: string
  /** Whole yen of price, tax and shipping. */
  readonly amount: number
}

interface Numbers {
  /** The provider's number of the charge; '' where a notice has none. */
  readonly chargeRef: string
  /** The provider's number of the recurring charge; '' without one. */
  readonly recurringRef: string
}

/** One member of a union for each kind, so that each can be told apart. */
type Each<Kind extends string, Rest> = Kind extends string ? Rest & { readonly is: Kind } : never

/** `registered`: no money was taken, and the recurring charge runs. `expired`: the buyer gave up, or took too long. */
export type PaymentNotice = Each<
  'charged' | 'registered' | 'refused' | 'pending' | 'expired',
  Numbers & {
    readonly passed: PassedThrough
    /** The last month of the card, `YYYY-MM`; left out where the provider does not say it. */
    readonly cardExpires?: string
  }
>

/** A month could not be charged and is tried again, or the recurring charge was stopped. */
type RecurringReport =
  | { readonly is: 'renewal_failed' }
  | { readonly is: 'stopped'; readonly by: 'provider' | 'buyer' }

export type RecurringNotice = Numbers & RecurringReport & { readonly passed: PassedThrough }

/** One that has nothing but the numbers. */
export type BareNotice = Numbers &
  RecurringReport & {
    /** The payment that began the recurring charge; '' where the notice names none. */
    readonly paymentId: string
  }

/** Money of a charge is back with the buyer, or the card company has it and examines the charge. */
export type TakenBackNotice = Each<
  'refunded' | 'disputed',
  {
    readonly chargeRef: string
    /** The payment that the charge was for; '' where the notice names none. */
    readonly paymentId: string
    /** Whole yen that were taken back of the charge in total. */
    readonly amount: number
  }
>

/** What a notice reports. */
export type ProviderEvent = PaymentNotice | RecurringNotice | BareNotice | TakenBackNotice

/**
 * Why a notice is none of the provider's, or cannot be read. `method`, `signature`, `stale`: it is not authenticated. `sum`:
 * price, tax and shipping do not add up to the total.
 */
export type NoticeProblem =
  | 'method'
  | 'signature'
  | 'stale'
  | 'encoding'
  | 'repeated'
  | 'missing'
  | 'malformed'
  | 'sum'

export type NoticeReading =
  | {
      readonly is: 'event'
      readonly event: ProviderEvent
      /**
       * The provider's number of this notice, by which a repeat is known, however late it comes and whatever else it says. Left out
       * where notices have none.
       */
      readonly noticeRef?: string
    }
  | {
      readonly is: 'problem'
      readonly why: NoticeProblem
      /** The number of the charge where it can be read and is authenticated, else ''. */
      readonly chargeRef: string
    }

/** A charge as the provider lists it. */
export interface ListedCharge {
  readonly chargeRef: string
  readonly paymentId: string
  /** Whole yen. */
  readonly amount: number
  /** Whole yen that were returned; `part` where the list does not say how much. */
  readonly refunded: number | 'part'
  /** The recurring charge that it belongs to; '' for a single one. */
  readonly recurringRef: string
  readonly chargedAt: Date
}

/** A recurring charge as the provider lists it. */
export interface ListedRecurring {
  readonly recurringRef: string
  readonly paymentId: string
  /** Whole yen a month. */
  readonly amount: number
  readonly isRunning: boolean
  /** The last month of its card, `YYYY-MM`; left out where the provider does not say it. */
  readonly cardExpires?: string
}

export interface ProviderList {
  readonly charges: readonly ListedCharge[]
  readonly recurring: readonly ListedRecurring[]
}

/**
 * What the provider does when it is asked to. What is missing here the operator does by hand, so it makes a task. Each one ends by
 * itself: a request to the provider has a time limit, since a buyer or a job waits for it.
 */
export interface ProviderCalls {
  /** Stops a recurring charge. A repeat changes nothing. */
  readonly stop?: (recurringRef: string) => Promise<void>
  /** Continues a stopped recurring charge at its next day, with an amount in whole yen. A repeat changes nothing. */
  readonly resume?: (recurringRef: string, amount: number) => Promise<void>
  /** Changes the amount of a recurring charge, whole yen. A repeat changes nothing. */
  readonly changeAmount?: (recurringRef: string, amount: number) => Promise<void>
  /** Returns so much of a charge that in total `returned` whole yen are returned. A repeat changes nothing. */
  readonly refund?: (chargeRef: string, returned: number) => Promise<void>
  /** All charges and recurring charges, for reconciliation. */
  readonly list?: () => Promise<ProviderList>
}

/** The names that rows of payments, charges and memberships remember. */
export const providerNames = ['sandbox', 'hosted-sandbox', 'link-form'] as const
export type ProviderName = (typeof providerNames)[number]
/** Those for practice, with which no money moves. */
export const practiceNames = ['sandbox', 'hosted-sandbox'] as const satisfies readonly ProviderName[]

export interface PaymentProvider extends ProviderCalls {
  readonly name: ProviderName
  /**
   * The number of the shop. Values that are passed through are computed with it, so that it stays the same as long as payments
   * of it are open. A provider without such numbers has a word of its own.
   */
  readonly storeId: string
  /** The origin to which its form is posted; undefined for this server, and without a form. */
  readonly formOrigin: string | undefined
  /** Whether its notices have an address of their own, which ends with its name. */
  readonly hasOwnAddress: boolean
  /** Whether its notices may come from a network address. */
  readonly isNoticeAddress: (address: string) => boolean
  /** The headers that its notices are read with, in lower case. They are stored, so never one with a secret. */
  readonly noticeHeaders: readonly string[]
  /** Begins a payment. A repeat leads to the same payment. */
  readonly begin: (payment: PaymentRequest) => Promise<PaymentStart>
  /** Authenticates and reads a notice. The same request is always read in the same way. */
  readonly readNotice: (request: NoticeRequest) => NoticeReading
  /** Reads a list of charges that the operator has downloaded; undefined where the provider has none. */
  readonly readCharges: ((text: string) => readonly ListedCharge[] | undefined) | undefined
}
