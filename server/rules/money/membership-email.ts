// Emails about a membership, as their facts.
import type { EndReason } from './membership.ts'

/** About a membership. `creator` and `plan` are names, amounts whole yen a month; `url` of the list of joined plans. */
export type MembershipEmail = {
  readonly creator: string
  readonly plan: string
  readonly url: string
} & (
  | {
      readonly is: 'membership_joined'
      readonly amount: number
      readonly paymentId: string
      readonly at: number
      readonly nextChargeAt: number
      /** The creator's words to new members, or ''. */
      readonly thanks: string
    }
  /** `nextChargeAt`: null when nothing more is charged. */
  | {
      readonly is: 'membership_renewed'
      readonly amount: number
      readonly paymentId: string
      readonly at: number
      readonly nextChargeAt: number | null
    }
  /** Its card was changed. `nextChargeAt`: null when nothing more is charged. */
  | { readonly is: 'membership_card'; readonly amount: number; readonly nextChargeAt: number | null }
  /** The card can be charged to the end of a month, `YYYY-MM`. */
  | { readonly is: 'membership_card_expires'; readonly month: string }
  | { readonly is: 'membership_past_due'; readonly amount: number }
  | { readonly is: 'membership_cancelling'; readonly why: EndReason; readonly until: number }
  | { readonly is: 'membership_resumed'; readonly amount: number; readonly nextChargeAt: number }
  /** `returnUntil`: until when it can be continued as it was; null where it cannot. */
  | { readonly is: 'membership_ended'; readonly why: EndReason; readonly returnUntil: number | null }
  /** Another plan or price from the next charge on. */
  | {
      readonly is: 'membership_next'
      readonly nextPlan: string
      readonly amount: number
      readonly from: number
    }
  /** The creator has announced the plan's end. */
  | { readonly is: 'plan_closing'; readonly endsAt: number; readonly nextChargeAt: number | null }
  /** The price of new members is `offered`; this member still pays `amount`. */
  | { readonly is: 'plan_price'; readonly offered: number; readonly amount: number }
)
