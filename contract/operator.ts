// The operator of this service, named on the legal pages (specification section 2).
import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { day } from './rules.ts'

/** As the operator has set them; null for what is not set. Name and mail are always set in production. */
export const operatorView = v.object({
  name: v.nullable(v.string()),
  representative: v.nullable(v.string()),
  address: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  email: v.nullable(v.string()),
  /** `T` and 13 digits. */
  invoice_number: v.nullable(v.string()),
  /** When terms and privacy policy came into force. */
  effective_on: day,
  /** Days after which messages are removed; null where they are stored as long as both people use the service. */
  message_days: v.optional(v.nullable(v.number()), null),
  /** Null where no provider of new payments is configured. */
  payments: v.optional(
    v.nullable(
      v.object({
        /** Whether payments are for practice and move no money. */
        is_sandbox: v.boolean(),
        /** Whether posts can be bought and plans joined now. A server of the version before leaves it out. */
        is_selling: v.optional(v.boolean(), true),
        /** The most that an account of less than 30 days can pay within 24 hours, yen; null where a server of the version before leaves it out. */
        new_account_yen: v.optional(v.nullable(v.number()), null),
        /** The name on the buyer's card statement. */
        statement_name: v.string(),
      }),
    ),
    null,
  ),
})
export type OperatorView = v.InferOutput<typeof operatorView>

export const getOperator = endpoint({
  name: 'getOperator',
  method: 'GET',
  path: '/operator',
  audience: 'open',
  summary: '運営者の情報（法令に基づく表示）',
  reply: operatorView,
  errors: [],
})
