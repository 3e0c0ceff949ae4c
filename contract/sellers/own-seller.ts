// The own data as a seller: how buyers see them, and who has requested them.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { day, orBlank } from '#contract/rules.ts'
import { registrationNumber } from './registration-number.ts'
import { sellerData, sellerDataView } from './seller-data.ts'
import { sellerAnswers } from './sellers.ts'

/** `published`: on the page. `on_request`: given to people who request them. */
export const sellerDisplays = ['on_request', 'published'] as const
export type SellerDisplay = (typeof sellerDisplays)[number]

const ownSeller = v.object({
  /** Null until data are stored. */
  stored: v.nullable(
    v.object({
      display: v.picklist(sellerDisplays),
      stored_at: instant,
      ...sellerDataView.entries,
      /** '' without one; servers of the version before leave both out. */
      registration_number: v.optional(v.string(), ''),
      /** From which day on the number is valid, `YYYY-MM-DD`. */
      registered_on: v.optional(v.string(), ''),
    }),
  ),
  /** Whether data can be stored now, as for plans. */
  may_store: v.picklist(['yes', 'identity_required', 'under_age']),
  /** Whether the person has a plan or a priced post, whose buyers need the data. */
  sells: v.boolean(),
  /** The legal name in the account's information; '' without one. */
  legal_name: v.string(),
})
export type OwnSeller = v.InferOutput<typeof ownSeller>

export const getOwnSeller = endpoint({
  name: 'getOwnSeller',
  method: 'GET',
  path: '/seller',
  audience: 'member',
  summary: '自分の販売者情報',
  reply: ownSeller,
  errors: ['unauthenticated'],
})

/** Pages of the version before leave out the number and its day, which then stay as they are. */
export const ownSellerBody = v.pipe(
  v.object({
    display: v.picklist(sellerDisplays, 'malformed'),
    ...sellerData.entries,
    registration_number: v.optional(orBlank(registrationNumber)),
    registered_on: v.optional(orBlank(day)),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const { value } = dataset
    if (!value.registration_number || value.registered_on) return
    const key = 'registered_on'
    const path = [{ type: 'object', origin: 'value', input: value, key, value: value[key] }] as const
    addIssue({ message: 'required', path: [...path] })
  }),
)
export type OwnSellerBody = v.InferOutput<typeof ownSellerBody>

/** Stores or replaces the data, and answers the requests that waited for them. An email tells of it. */
export const putOwnSeller = endpoint({
  name: 'putOwnSeller',
  method: 'PUT',
  path: '/seller',
  audience: 'member',
  summary: '販売者情報を保存します',
  body: ownSellerBody,
  reply: ownSeller,
  errors: ['unauthenticated', 'identity_required', 'under_age'],
})

/** Removes the data; from then on the operator answers requests. */
export const removeOwnSeller = endpoint({
  name: 'removeOwnSeller',
  method: 'DELETE',
  path: '/seller',
  audience: 'member',
  summary: '販売者情報を削除します',
  reply: ownSeller,
  errors: ['unauthenticated'],
})

const receivedRequest = v.object({
  id,
  /** Null after the account of the person was deleted. */
  requester: v.nullable(personView),
  requested_at: instant,
  answered_at: v.nullable(instant),
  answer: v.nullable(v.picklist(sellerAnswers)),
})
export type ReceivedRequest = v.InferOutput<typeof receivedRequest>

/** Who requested the own data, the newest first. People in a block with the viewer are in it: it is a record. */
export const listSellerRequests = endpoint({
  name: 'listSellerRequests',
  method: 'GET',
  path: '/seller/requests',
  audience: 'member',
  summary: '自分の販売者情報の開示請求の記録',
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(200, 'too_long'))) }),
  reply: v.object({ requests: v.array(receivedRequest), next: v.nullable(v.string()) }),
  errors: ['unauthenticated'],
})
