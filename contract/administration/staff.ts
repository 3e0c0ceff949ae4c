// The operator's staff: their roles, given and taken by admins.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import type { Area } from './areas.ts'
import { roleNames, staffRoles } from './role-names.ts'

/** What waits for staff. `requests`: inquiries without claims for disclosure, which are `disclosures`. `disputes` and failed payments are among `tasks`. */
export const waitingKinds = [
  'reports',
  'appeals',
  'identity',
  'payouts',
  'tasks',
  'sellers',
  'requests',
  'disclosures',
] as const
export type WaitingKind = (typeof waitingKinds)[number]
/** The area of each kind: counts of other areas are not in the reply. */
export const areaOfWaiting = {
  reports: 'reports',
  appeals: 'reports',
  identity: 'identity',
  payouts: 'money',
  tasks: 'money',
  sellers: 'people',
  requests: 'reports',
  disclosures: 'authority',
} as const satisfies Record<WaitingKind, Area>
/** Counts are exact up to this. */
export const WAITING_CAP = 1000

const waiting = v.object({
  kind: v.picklist(waitingKinds),
  /** At most `WAITING_CAP`. */
  count: v.number(),
  /** Since when the one that came first waits; null for none. */
  since: v.nullable(instant),
})
export type Waiting = v.InferOutput<typeof waiting>

/** What the caller may do, and what waits for their role; the pages of the administration begin with it. */
export const getDesk = endpoint({
  name: 'getDesk',
  method: 'GET',
  path: '/admin/desk',
  audience: 'staff:desk',
  summary: '管理画面を使う人の役割',
  reply: v.object({ role: v.picklist(staffRoles), waiting: v.array(waiting) }),
  errors: ['unauthenticated', 'not_found'],
})

const staffMember = v.object({
  id,
  name: v.string(),
  handle: v.nullable(v.string()),
  role: v.picklist(staffRoles),
  /** Whether the account is usable: neither suspended nor leaving. */
  active: v.boolean(),
})
export type StaffMember = v.InferOutput<typeof staffMember>

/** Everyone with a role, admins first, then by name. */
export const listStaff = endpoint({
  name: 'listStaff',
  method: 'GET',
  path: '/admin/staff',
  audience: 'staff:staff',
  summary: '管理の役割を持つ人の一覧',
  reply: v.object({ staff: v.array(staffMember) }),
  errors: ['unauthenticated', 'not_found'],
})

/**
 * Gives a person a role, or takes it (`member`). Requires a validation. `person`: their handle with or without @, email address or
 * id. `conflict`: the last admin who can sign in would lose the role.
 */
export const setRole = endpoint({
  name: 'setRole',
  method: 'POST',
  path: '/admin/staff',
  audience: 'staff:staff',
  summary: '管理の役割を付け外しします',
  body: v.object({
    person: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(320, 'too_long')),
    role: v.picklist(roleNames),
  }),
  reply: v.object({ data: v.object({ id, role: v.picklist(roleNames) }) }),
  errors: ['unauthenticated', 'not_found', 'validation_required', 'conflict', 'invalid'],
})
