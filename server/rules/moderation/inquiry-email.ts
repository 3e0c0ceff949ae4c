// Data of emails about inquiries.
import type { InquiryKind, InquiryOutcome } from '#contract/inquiries/states.ts'

/** Instants are milliseconds since 1970; links are whole URLs of the page of the inquiry. */
export type InquiryEmail = { readonly kind: InquiryKind; readonly number: number; readonly url: string } & (
  | { readonly is: 'inquiry_confirm'; readonly until: number }
  /** `hides`: the content is hidden until the decision. */
  | { readonly is: 'inquiry_received'; readonly due: number; readonly hides: boolean }
  /** Staff ask the sender. */
  | { readonly is: 'inquiry_question'; readonly text: string }
  /** Staff request an opinion of the author (意見照会). `name`: '' unless it may be shown. */
  | {
      readonly is: 'inquiry_opinion'
      readonly name: string
      readonly content: string
      readonly right: string
      readonly claim: string
      readonly text: string
      readonly due: number
      readonly hides: boolean
    }
  | { readonly is: 'inquiry_decided'; readonly outcome: InquiryOutcome; readonly text: string }
  /** The decision was undone. */
  | { readonly is: 'inquiry_reopened' }
)
