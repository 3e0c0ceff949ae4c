// Requests for sellers' data that the operator has to answer.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { maxLength, typed } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'
import { MAX_SELLER_NOTE } from './sellers.ts'

const waitingRequest = v.object({
  id,
  creator: personView,
  requester: personView,
  /** What the requester has bought: something, something that was refunded, or nothing. */
  relation: v.picklist(['buyer', 'former', 'none']),
  /** Whether the creator and the requester are in a block. */
  blocked: v.boolean(),
  /** Whether the creator has stored data, which can be disclosed. */
  has_data: v.boolean(),
  reason: v.string(),
  requested_at: instant,
  due_at: instant,
})
export type WaitingRequest = v.InferOutput<typeof waitingRequest>

/** The requests that wait, the next deadline first, at most 100. Each reading is in the audit log. */
export const listWaitingSellerRequests = endpoint({
  name: 'listWaitingSellerRequests',
  method: 'GET',
  path: '/admin/seller-requests',
  audience: 'staff:people',
  summary: '運営が回答する開示請求（閲覧は記録されます）',
  reply: v.object({ requests: v.array(waitingRequest), has_more: v.boolean() }),
  errors: ['unauthenticated', 'not_found'],
})

/**
 * Answers a request: `disclosed` gives the stored data, `mediated` the operator's own words. Both are emailed. `conflict`: it was
 * answered already, or there are no data to disclose.
 */
export const answerSellerRequest = endpoint({
  name: 'answerSellerRequest',
  method: 'POST',
  path: '/admin/seller-requests/:request_id/answer',
  audience: 'staff:people',
  summary: '開示請求に回答します',
  params: v.object({ request_id: id }),
  body: v.variant('is', [
    v.object({ is: v.literal('disclosed') }),
    v.object({
      is: v.literal('mediated'),
      note: v.pipe(
        typed,
        v.transform((it) => asLines(it).trim()),
        v.nonEmpty('required'),
        maxLength(MAX_SELLER_NOTE),
      ),
    }),
  ]),
  reply: v.object({ data: v.object({ id }) }),
  errors: ['unauthenticated', 'not_found', 'validation_required', 'conflict', 'unseen'],
})
