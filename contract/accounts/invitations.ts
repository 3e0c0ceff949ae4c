// Invitations: codes with which people register while registration is by invitation.
import * as v from 'valibot'
import { registrationModes } from '#contract/administration/runtime-names.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'

/** What the page of registration shows. `full`: as many accounts were made in 24 hours as are allowed. */
export const getRegistration = endpoint({
  name: 'getRegistration',
  method: 'GET',
  path: '/auth/registration',
  audience: 'open',
  summary: '新規登録を受け付けているかどうか',
  reply: v.object({ state: v.picklist([...registrationModes, 'full']) }),
  errors: [],
})

const invitation = v.object({
  id,
  code: v.string(),
  uses: v.number(),
  used: v.number(),
  until: instant,
  made_at: instant,
  revoked_at: v.nullable(instant),
})
export type Invitation = v.InferOutput<typeof invitation>

/** Every invitation, newest first. */
export const listInvitations = endpoint({
  name: 'listInvitations',
  method: 'GET',
  path: '/admin/invitations',
  audience: 'staff:machine',
  summary: '招待コードの一覧',
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(300))) }),
  reply: v.object({ invitations: v.array(invitation), next: v.nullable(v.string()) }),
  errors: ['unauthenticated', 'not_found', 'invalid'],
})

const between = (least: number, most: number) =>
  v.pipe(v.number(), v.integer('malformed'), v.minValue(least, 'too_small'), v.maxValue(most, 'too_large'))

/** Most invitations made at once, uses of one, and days that one is valid. */
export const MAX_INVITATIONS = 100
export const MAX_INVITE_USES = 1000
export const MAX_INVITE_DAYS = 365

/** Makes codes. Requires a validation. */
export const addInvitations = endpoint({
  name: 'addInvitations',
  method: 'POST',
  path: '/admin/invitations',
  audience: 'staff:machine',
  summary: '招待コードを作成します',
  body: v.strictObject({
    count: between(1, MAX_INVITATIONS),
    uses: between(1, MAX_INVITE_USES),
    days: between(1, MAX_INVITE_DAYS),
  }),
  reply: v.object({ invitations: v.array(invitation) }),
  errors: ['unauthenticated', 'not_found', 'validation_required', 'invalid'],
})

/** Ends an invitation at once. Accounts that were made with it stay. A repeat changes nothing. */
export const revokeInvitation = endpoint({
  name: 'revokeInvitation',
  method: 'POST',
  path: '/admin/invitations/:invitation_id/revoke',
  audience: 'staff:machine',
  summary: '招待コードを無効にします',
  params: v.object({ invitation_id: id }),
  reply: v.object({ data: invitation }),
  errors: ['unauthenticated', 'not_found', 'validation_required'],
})
