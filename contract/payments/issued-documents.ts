// The operator's copies of receipts and statements, as they were issued.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { day } from '#contract/rules.ts'
import { issuedKinds } from './issued-names.ts'

const yen = v.pipe(v.number(), v.integer())

/** Longest text that a partner is searched by, characters. */
export const MAX_PARTNER = 100

const issuedDocument = v.object({
  id,
  number: v.string(),
  /** 1 for a first issue, and for each statement. */
  issue: v.pipe(v.number(), v.integer(), v.minValue(1)),
  issued_at: instant,
  /** Yen with tax: what was paid, or what a statement owes for its month. */
  amount: yen,
  /** Yen: what a receipt says is refunded; 0 for a statement. */
  refunded_amount: yen,
  /** Yen with tax: the fees of a statement, for which it is the invoice; 0 for a receipt. */
  fee: yen,
  /** '' where it was not stored. */
  addressee: v.string(),
  /** Who paid; null for a statement. */
  buyer: v.nullable(personView),
  creator: personView,
  /** The seller as a receipt names them; '' for a statement. */
  seller: v.string(),
  /** Of who issues the invoice; '' without one. */
  registration_number: v.string(),
})
export type IssuedDocument = v.InferOutput<typeof issuedDocument>

/** An amount as an address has it. */
const amount = v.pipe(v.string(), v.regex(/^-?\d{1,9}$/, 'malformed'))

/**
 * Issues of receipts, or statements, the newest first. All of what is given has to fit: days in Asia/Tokyo, amounts (of a statement also
 * its fees), and a part of the name of a partner (addressee, seller, buyer or creator). A page may be empty although there is a next one.
 * Each reading is in the audit log.
 */
export const listIssuedDocuments = endpoint({
  name: 'listIssuedDocuments',
  method: 'GET',
  path: '/admin/issued-documents',
  audience: 'staff:money',
  summary: '領収書と支払明細書の控えの検索（閲覧は記録されます）',
  query: v.object({
    kind: v.picklist(issuedKinds),
    from: v.optional(day),
    to: v.optional(day),
    least: v.optional(amount),
    most: v.optional(amount),
    partner: v.optional(v.pipe(v.string(), v.maxLength(MAX_PARTNER, 'too_long'))),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(200, 'too_long'))),
  }),
  reply: v.object({ documents: v.array(issuedDocument), next: v.nullable(v.string()) }),
  errors: ['unauthenticated', 'not_found'],
})
