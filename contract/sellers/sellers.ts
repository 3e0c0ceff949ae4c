// Who sells a creator's posts and plans, and the request for it (特定商取引法第11条).
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { maxLength, typed } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'
import { sellerDataView } from './seller-data.ts'

const DAY = 24 * 3600_000
/** A request is answered within this, ms. */
export const SELLER_ANSWER_MS = 3 * DAY
/** Requests of one person within a day. */
export const MAX_SELLER_REQUESTS_A_DAY = 3
/** The page shows disclosed data for so long after the answer, ms; then they are requested again. */
export const SELLER_SHOWN_MS = 30 * DAY
/** Longest reason of a request, grapheme clusters. */
export const MAX_SELLER_REASON = 500
/** Longest answer of the operator, grapheme clusters. */
export const MAX_SELLER_NOTE = 500

/** `disclosed`: the stored data were given. `mediated`: the operator answered in writing. */
export const sellerAnswers = ['disclosed', 'mediated'] as const
export type SellerAnswer = (typeof sellerAnswers)[number]

const sellerRequest = v.object({
  requested_at: instant,
  /** Until when it is answered. */
  due_at: instant,
  /** Null while it waits. */
  answered_at: v.nullable(instant),
  answer: v.nullable(v.picklist(sellerAnswers)),
  /** What the operator wrote; '' without it. */
  note: v.string(),
})
export type SellerRequestView = v.InferOutput<typeof sellerRequest>

const sellerPage = v.object({
  creator: personView,
  /** `published` by the creator, `disclosed` to this viewer, or given `on_request`: then `seller` is null. */
  is: v.picklist(['published', 'disclosed', 'on_request']),
  seller: v.nullable(sellerDataView),
  /** Until when disclosed data are shown; null for the others. */
  shown_until: v.nullable(instant),
  /** The viewer's latest request; null without one. */
  request: v.nullable(sellerRequest),
  /**
   * `at_once`: a request of this viewer is answered at once; `by_operator`: the operator answers it. `sign_in`: only members
   * can make one. `no`: the data are shown, are the viewer's own, or a request waits.
   */
  may_request: v.picklist(['at_once', 'by_operator', 'sign_in', 'no']),
})
export type SellerPage = v.InferOutput<typeof sellerPage>

const params = v.object({ user_id: id })

/**
 * The page that the law requires of a seller. `not_found`: the person sells nothing that the viewer may see. Buyers of the person
 * can always read it.
 */
export const getSeller = endpoint({
  name: 'getSeller',
  method: 'GET',
  path: '/users/:user_id/seller',
  audience: 'open',
  summary: '販売者の表示（特定商取引法に基づく表記）',
  params,
  reply: sellerPage,
  errors: ['not_found'],
})

/** The optional reason, as the operator reads it. */
export const sellerReason = v.pipe(
  typed,
  v.transform((it) => asLines(it).trim()),
  maxLength(MAX_SELLER_REASON),
)

/**
 * Requests the seller's data. A request that waits, or data that are shown already, make no second one. `rate_limited`: the
 * person has made `MAX_SELLER_REQUESTS_A_DAY`. `conflict`: the data are public, or the viewer's own.
 */
export const requestSeller = endpoint({
  name: 'requestSeller',
  method: 'POST',
  path: '/users/:user_id/seller/requests',
  audience: 'member',
  summary: '販売者の氏名、住所、電話番号の開示を請求します',
  params,
  body: v.object({ reason: sellerReason }),
  reply: sellerPage,
  errors: ['unauthenticated', 'not_found', 'conflict'],
})
