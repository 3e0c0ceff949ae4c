// Members whose name imitates the operator, listed for admins (docs/decisions/046).
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'

/** Why a name is reserved for the operator. */
export const reservedReason = v.picklist(['brand', 'admin', 'support', 'system'])
export type ReservedReason = v.InferOutput<typeof reservedReason>

const holder = v.object({
  id,
  name: v.string(),
  handle: v.nullable(v.string()),
  /** Why the name is reserved, null when it is not. */
  name_reason: v.nullable(reservedReason),
  handle_reason: v.nullable(reservedReason),
  created_at: instant,
})
export type ReservedHolder = v.InferOutput<typeof holder>

/**
 * Members, admins left out, by account id. A page may be empty and go on: `cursor` is the previous page's `next`. Each
 * page that is read is written to the audit log.
 */
export const listReservedNames = endpoint({
  name: 'listReservedNames',
  method: 'GET',
  path: '/admin/reserved-names',
  audience: 'staff:people',
  summary: '運営と間違えられる名前のユーザー',
  query: v.object({ cursor: v.optional(id) }),
  reply: v.object({ people: v.array(holder), next: v.nullable(id) }),
  errors: ['unauthenticated', 'not_found'],
})
