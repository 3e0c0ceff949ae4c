// The kinds of emails and the data of each; `emails/` renders them.
import type { StoppedCharges } from '#contract/memberships/memberships.ts'
import type { SurplusReason } from '#contract/payments/surplus.ts'
import type { PersonActReason } from '#contract/administration/person-acts.ts'
import type { InquiryEmail } from './moderation/inquiry-email.ts'
import type { MeasureEmail } from './moderation/measure-email.ts'
import type { MembershipEmail } from './money/membership-email.ts'

/** What a person who leaves has sold and was not paid yet; left out where there is none. */
export interface LeavingMoney {
  /** Yen, not 0; negative when more was returned to buyers than was left. */
  readonly balance: number
  /** Whether the rest is paid to a bank account without an act of the person or the operator. */
  readonly isPaid: boolean
}

/** Links are whole URLs; instants are milliseconds since 1970. */
export type Email =
  /** A registration with this address: the link creates the account. */
  | { readonly is: 'confirm_registration'; readonly url: string }
  /** A registration with an address that has an account already. */
  | { readonly is: 'already_registered' }
  /** `mailUrl`: the page where the recipient requests another code, or refuses unrequested codes. */
  | { readonly is: 'reset_code'; readonly code: string; readonly mailUrl: string }
  | { readonly is: 'password_changed'; readonly at: number }
  | { readonly is: 'new_sign_in'; readonly device: string; readonly place: string; readonly at: number }
  | { readonly is: 'passkey_added'; readonly name: string; readonly at: number }
  | { readonly is: 'passkey_removed'; readonly name: string; readonly at: number }
  /** An exchanged token was used on another device, which is named here. */
  | {
      readonly is: 'session_ended'
      readonly device: string
      readonly place: string
      readonly at: number
    }
  | StaffActEmail
  | SecondFactorEmail
  | RecoveryEmail
  /** To the new address: the code that confirms it. */
  | { readonly is: 'change_email_code'; readonly code: string }
  /** To the new address when it has an account already: no code. */
  | { readonly is: 'change_email_taken' }
  /** To the current address: a change to another one was requested, shown masked. */
  | { readonly is: 'change_email_asked'; readonly to: string }
  /** To both addresses. */
  | { readonly is: 'email_changed'; readonly to: string; readonly at: number }
  /** Emails that earlier servers enqueued have no stopped charges. */
  | ({
      readonly is: 'deletion_asked'
      readonly due: number
      readonly undoUrl: string
      readonly money?: LeavingMoney
    } & Partial<StoppedCharges>)
  | ({ readonly is: 'deletion_undone' } & Partial<StoppedCharges>)
  | { readonly is: 'deleted'; readonly money?: LeavingMoney }
  | { readonly is: 'export_ready'; readonly url: string; readonly expires: number }
  /** The notification's sentence, its excerpt or '', and its target, from the origin's root. */
  | { readonly is: 'notification'; readonly title: string; readonly quoted: string; readonly path: string }
  | MeasureEmail
  | InquiryEmail
  | NoticeEmail
  | { readonly is: 'identity_received' }
  | { readonly is: 'identity_approved' }
  /** `reason` is a sentence. */
  | { readonly is: 'identity_rejected'; readonly reason: string; readonly note: string }
  /** A post was bought. `amount` in whole yen, `url` of the post. */
  | {
      readonly is: 'purchase'
      readonly creator: string
      readonly amount: number
      readonly at: number
      readonly paymentId: string
      readonly url: string
    }
  /** A charge paid for nothing, and is returned. `amount` in whole yen. */
  | {
      readonly is: 'surplus'
      readonly creator: string
      readonly of: 'post' | 'plan'
      readonly amount: number
      readonly reason: SurplusReason
      readonly at: number
      readonly paymentId: string
    }
  /** A creator's account was deleted; `count` bought posts can be read until a moment. */
  | { readonly is: 'bought_kept'; readonly creator: string; readonly count: number; readonly until: number }
  /** A payment is refunded, or a part of it; `reason` of the operator or ''. */
  | {
      readonly is: 'refund'
      readonly creator: string
      readonly of: 'post' | 'plan'
      readonly amount: number
      readonly isPart: boolean
      readonly reason: string
      readonly at: number
      readonly paymentId: string
    }
  /** A bank account was stored; `heldUntil` is null for the first one. `place`: names of bank and branch; `number` is masked. */
  | {
      readonly is: 'bank_account_stored'
      readonly place: string
      readonly number: string
      readonly at: number
      readonly heldUntil: number | null
    }
  | { readonly is: 'bank_account_removed'; readonly at: number }
  | MembershipEmail
  | PayoutEmail
  | OldBalanceEmail
  | AdjustmentEmail
  | SellerEmail
  /** A month of sales is closed. `net` of the month and the balance after it in whole yen; `url` of the statement. */
  | {
      readonly is: 'statement'
      readonly month: string
      readonly net: number
      readonly balance: number
      readonly url: string
    }

/** A notice of the operator with its whole plain text; `path` from the origin's root. */
export interface NoticeEmail {
  readonly is: 'notice'
  readonly title: string
  readonly text: string
  readonly path: string
  /** Of an advertising notice: who sends it, and how its recipient stops them (特定電子メール法). */
  readonly advertising: {
    readonly sender: string
    readonly address: string
    readonly contact: string
    readonly unsubscribeUrl: string
  } | null
}

/** About a sale that was taken back, to its creator. Amounts in whole yen, `reason` of the operator or ''; `url` of the sales. */
export type TakenSaleEmail = {
  readonly amount: number
  readonly paymentId: string
  readonly reason: string
  readonly url: string
} & (
  | { readonly is: 'sale_refunded' }
  | { readonly is: 'sale_disputed' }
  | { readonly is: 'dispute_won' }
  | { readonly is: 'dispute_lost' }
  | { readonly is: 'dispute_covered' }
)

/** About an adjustment by the operator. Amounts in whole yen, `reason` of the operator. */
export type AdjustmentEmail =
  | TakenSaleEmail
  /** To the creator. Rates in basis points; `from` is the first moment, `url` of the sales. */
  | {
      readonly is: 'fee_rate'
      readonly rate: number
      readonly before: number
      readonly from: number
      readonly reason: string
      readonly url: string
    }
  /** To the member; `url` of the creator's page. */
  | {
      readonly is: 'complimentary'
      readonly creator: string
      readonly plan: string
      readonly until: number
      readonly reason: string
      readonly url: string
    }
  /** To the creator; `amount` is what the operator pays, `url` of the sales. */
  | {
      readonly is: 'complimentary_given'
      readonly member: string
      readonly plan: string
      readonly until: number
      readonly amount: number
      readonly reason: string
      readonly url: string
    }

/** About a payout to a creator. Amounts in whole yen, `reason` of the operator or ''; `url` of the list of payouts. */
export type PayoutEmail = {
  readonly number: number
  readonly amount: number
  readonly fee: number
  /** Income tax kept of the transfer; undefined in emails that the version before queued. */
  readonly withheld?: number
  readonly reason: string
  readonly url: string
} & (
  | { readonly is: 'payout_paid' }
  | { readonly is: 'payout_returned' }
  | { readonly is: 'payout_held' }
  | { readonly is: 'payout_cancelled' }
)

/**
 * A part of the balance is older than six months. Yen of the payout that was requested, or of that part; `dueOn`: its day (`YYYY-MM-DD`), '' while it is held.
 */
export interface OldBalanceEmail {
  readonly is: 'old_balance'
  readonly step: 'request' | 'no_account' | 'returned' | 'unidentified'
  readonly amount: number
  readonly fee: number
  readonly dueOn: string
  readonly url: string
}

/** About the data of a seller by law. `url` of the seller's page, or of the creator's own settings. */
export type SellerEmail =
  /** To the requester: the data. */
  | {
      readonly is: 'seller_disclosed'
      readonly creator: string
      readonly seller: string
      readonly address: string
      readonly phone: string
      /** The seller's email address. */
      readonly contact: string
      /** When the telephone is answered, or ''. */
      readonly hours: string
      readonly url: string
    }
  /** To the requester: the operator answers until `due`. */
  | {
      readonly is: 'seller_request_taken'
      readonly creator: string
      readonly due: number
      readonly url: string
    }
  | {
      readonly is: 'seller_mediated'
      readonly creator: string
      readonly note: string
      readonly url: string
    }
  /** To the creator. `missing`: there are no data to give. */
  | {
      readonly is: 'seller_requested'
      readonly state: 'disclosed' | 'waiting' | 'missing'
      readonly requester: string
      readonly at: number
      readonly url: string
    }
  /** To the creator, a day later: there are still no data. */
  | { readonly is: 'seller_missing'; readonly due: number; readonly url: string }
  | {
      readonly is: 'seller_stored'
      readonly published: boolean
      readonly at: number
      readonly url: string
    }
  | { readonly is: 'seller_removed'; readonly at: number }

/** The recipient of an email; `name` is '' where the address may not be the person's. */
export interface Mailbox {
  readonly email: string
  readonly name: string
}

/** An act of the operator on the sign-in of the account. */
export interface StaffActEmail {
  readonly is: 'staff_act'
  readonly act: 'end_sessions' | 'remove_passkeys' | 'remove_totp'
  readonly reason: PersonActReason
  readonly at: number
}

/** The second factor was turned on or off. */
export type SecondFactorEmail =
  | { readonly is: 'second_factor_on'; readonly at: number }
  | { readonly is: 'second_factor_off'; readonly at: number }

/** A recovery of sign-in that staff began. Links are whole URLs. */
export type RecoveryEmail =
  | { readonly is: 'recovery_begun'; readonly url: string; readonly expires: number }
  /** Passkeys and second factor are removed at `due`, unless the link stops it. */
  | { readonly is: 'recovery_confirmed'; readonly stopUrl: string; readonly due: number }
  | { readonly is: 'recovery_done'; readonly at: number }
