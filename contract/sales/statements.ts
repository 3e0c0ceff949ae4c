// Monthly statements of a creator (支払明細書), which never change.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { month } from '#contract/payments/month.ts'

const yen = v.pipe(v.number(), v.integer())

/**
 * `opening` + `net` − `paid_out` = `closing`; `plans` + `posts` − `refunds` = `fee` + `fee_tax` + `net`. The invoice is about `fee` + `fee_tax` +
 * `transfer_fee` with the tax `fee_tax` + `transfer_fee_tax`, which is rounded once.
 */
const statement = v.object({
  id,
  month,
  /** `S-202611-000001`. */
  number: v.string(),
  issued_at: instant,
  opening: yen,
  plans: yen,
  posts: yen,
  refunds: yen,
  fee: yen,
  fee_tax: yen,
  net: yen,
  paid_out: yen,
  /** Fees of transfers that the creator bore in the month, with tax; 0 on statements of before, which do not have them. */
  transfer_fee: v.optional(yen, 0),
  transfer_fee_tax: v.optional(yen, 0),
  closing: yen,
  /** The operator at that time, with its registration number; '' without one. */
  issuer: v.string(),
  issuer_number: v.string(),
})
export type StatementView = v.InferOutput<typeof statement>

/** The creator's statements, the newest first. */
export const listStatements = endpoint({
  name: 'listStatements',
  method: 'GET',
  path: '/sales/statements',
  audience: 'member',
  summary: '支払明細書の一覧',
  reply: v.object({ statements: v.array(statement) }),
  errors: ['unauthenticated'],
})

/** One statement of the creator. */
export const getStatement = endpoint({
  name: 'getStatement',
  method: 'GET',
  path: '/sales/statements/:statement_id',
  audience: 'member',
  summary: '支払明細書',
  params: v.object({ statement_id: id }),
  reply: v.object({
    statement,
    /** To whom it is made out: the name of the seller by law, or that of the app where none is stored. */
    creator: v.string(),
  }),
  errors: ['unauthenticated', 'not_found'],
})
