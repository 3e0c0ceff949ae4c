// The port of a payment provider, whose card form the buyer's browser opens.

/** A payment as the provider's form has it. */
export interface FormPayment {
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
}

/** A form that the buyer's browser posts. */
export interface PaymentForm {
  /** An https URL, or a path of this server. */
  readonly action: string
  /** In the order of the specification (section 7). */
  readonly fields: readonly { readonly name: string; readonly value: string }[]
}

/** A notice with every field that a payment needs. */
export interface Notice {
  /** The provider's number of the charge. */
  readonly gid: string
  /** `rst`: 1 is a charge. Of a recurring charge, 3 is a failure that is tried again, 2 and 4 are stops. */
  readonly result: string
  /** The provider's number of the recurring charge; '' without one. */
  readonly acid: string
  readonly paymentId: string
  readonly sessionId: string
  readonly authId: string
  /** `aid`; null where the provider leaves it out. */
  readonly storeId: string | null
  /** `cod`; '' without one. */
  readonly orderCode: string
  /** `ta`: whole yen of price, tax and shipping. */
  readonly total: number
}

/** Why a notice cannot be read. `sum`: price, tax and shipping do not add up to the total. */
export type NoticeProblem = 'encoding' | 'repeated' | 'missing' | 'malformed' | 'sum'

/** A notice that a recurring charge failed or was stopped, which has no fields of the form but `cod`. */
export interface StopNotice {
  readonly gid: string
  /** `rst`: 3 is a failure that is tried again; 2 is a stop by the provider, 4 by the buyer. */
  readonly result: string
  /** '' where the provider leaves it out. */
  readonly acid: string
  /** `cod`: the id of the payment that began the recurring charge; '' where only `acid` is there. */
  readonly paymentId: string
}

export type NoticeReading =
  | { readonly is: 'notice'; readonly notice: Notice }
  | { readonly is: 'stop'; readonly notice: StopNotice }
  | {
      readonly is: 'problem'
      readonly why: NoticeProblem
      /** The number of the charge and the result, where they can be read, else ''. */
      readonly gid: string
      readonly result: string
    }

/** A charge as the provider lists it. */
export interface ListedCharge {
  readonly gid: string
  readonly paymentId: string
  /** Whole yen. */
  readonly amount: number
  /** Whole yen that were returned; `part` where the list does not say how much. */
  readonly refunded: number | 'part'
  /** The recurring charge that it belongs to; '' for a single one. */
  readonly acid: string
  readonly chargedAt: Date
}

/** A recurring charge as the provider lists it. */
export interface ListedRecurring {
  readonly acid: string
  readonly paymentId: string
  /** Whole yen a month. */
  readonly amount: number
  readonly isRunning: boolean
}

export interface ProviderList {
  readonly charges: readonly ListedCharge[]
  readonly recurring: readonly ListedRecurring[]
}

/** `task`: the provider has no interface for it, so the operator does it by hand. */
export type Performed = { readonly is: 'done' } | { readonly is: 'task' }

export interface PaymentProvider {
  readonly name: 'sandbox' | 'link-form'
  /** The number of the shop (`aid`). */
  readonly storeId: string
  /** Whether forms have `cod`, the payment's id once more. */
  readonly sendsCod: boolean
  readonly form: (payment: FormPayment) => PaymentForm
  /** @param query the query of the notice's URL, without `?` */
  readonly readNotice: (query: string) => NoticeReading
  /** Stops a recurring charge. A repeat changes nothing. */
  readonly stop: (acid: string) => Promise<Performed>
  /** Continues a stopped recurring charge at its next day, with an amount in whole yen. A repeat changes nothing. */
  readonly resume: (acid: string, amount: number) => Promise<Performed>
  /** Changes the amount of a recurring charge, whole yen. A repeat changes nothing. */
  readonly changeAmount: (acid: string, amount: number) => Promise<Performed>
  /** Returns so much of a charge that in total `returned` whole yen are returned. A repeat changes nothing. */
  readonly refund: (gid: string, returned: number) => Promise<Performed>
  /** All charges and recurring charges, for reconciliation. */
  readonly list: () => Promise<({ readonly is: 'list' } & ProviderList) | { readonly is: 'task' }>
}
