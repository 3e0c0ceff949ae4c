// People for staff: search, one person's page, and acts on their sign-in.
import * as v from 'valibot'
import { sessionView } from '#contract/accounts/sessions.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { checkStates } from '#contract/identity/identity.ts'
import { personView } from '#contract/people/people.ts'
import { auditEntry } from './audit.ts'
import { personActReasons, recoveryProofs, recoveryStates } from './person-acts.ts'
import { roleNames } from './role-names.ts'

/** Longest search, characters: an email address. */
export const MAX_STAFF_SEARCH = 320
/** Most people of one search. */
export const MAX_FOUND = 50

/** `gone`: the account was deleted. */
export const accountStates = ['present', 'leaving', 'suspended', 'gone'] as const
export type AccountState = (typeof accountStates)[number]

const found = {
  ...personView.entries,
  role: v.picklist(roleNames),
  state: v.picklist(accountStates),
  created_at: instant,
}
const foundPerson = v.object(found)
export type FoundPerson = v.InferOutput<typeof foundPerson>

/** By name (parts of it), handle (with or without @), email address or id (whole). The best match first. */
export const findPeople = endpoint({
  name: 'findPeople',
  method: 'GET',
  path: '/admin/people',
  audience: 'staff:person',
  summary: 'ユーザーを探します',
  query: v.object({
    q: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(MAX_STAFF_SEARCH, 'too_long')),
  }),
  /** `more`: further people match. */
  reply: v.object({ people: v.array(foundPerson), more: v.boolean() }),
  errors: ['unauthenticated', 'not_found'],
})

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
/** Yen. */
const sum = v.pipe(v.number(), v.integer())

const account = v.object({
  /** With most letters hidden. */
  email: v.string(),
  identity: v.nullable(v.object({ id, state: v.picklist(checkStates) })),
  identified_at: v.nullable(instant),
})

const { id: sessionId, device, place, method, created_at, last_used_at } = sessionView.entries
const signIn = v.object({
  /** Without addresses and tokens. */
  sessions: v.array(v.object({ id: sessionId, device, place, method, created_at, last_used_at })),
  passkeys: count,
  /** Null while it is off. */
  second_factor: v.nullable(v.object({ since: instant, codes_left: count })),
  /** The newest recovery; `due_at`: when passkeys and second factor are removed. */
  recovery: v.nullable(v.object({ state: v.picklist(recoveryStates), due_at: v.nullable(instant) })),
})

const activity = v.object({
  posts: count,
  comments: count,
  followers: count,
  following: count,
  reports_by: count,
  /** Null on the viewer's own page. */
  reports_about: v.nullable(count),
})

const sums = v.object({ count, sum })
const money = v.object({ purchases: sums, sales: sums, payouts: sums })

/** One person. A part that the role of the caller does not see is null (`person-parts.ts`). */
const personPage = v.object({
  ...found,
  account: v.nullable(account),
  sign_in: v.nullable(signIn),
  activity: v.nullable(activity),
  money: v.nullable(money),
  /** The newest audit entries about the person. */
  history: v.nullable(v.array(auditEntry)),
})
export type PersonPage = v.InferOutput<typeof personPage>

const named = v.object({ user_id: id })

export const readPerson = endpoint({
  name: 'readPerson',
  method: 'GET',
  path: '/admin/people/:user_id',
  audience: 'staff:person',
  summary: 'ユーザーの詳細',
  params: named,
  reply: personPage,
  errors: ['unauthenticated', 'not_found'],
})

/** The whole email address, for admins. */
export const readPersonEmail = endpoint({
  name: 'readPersonEmail',
  method: 'POST',
  path: '/admin/people/:user_id/email',
  audience: 'staff:authority',
  summary: 'ユーザーのメールアドレスを表示します',
  params: named,
  reply: v.object({ email: v.string() }),
  errors: ['unauthenticated', 'not_found', 'validation_required'],
})

const reason = v.object({ reason: v.picklist(personActReasons, 'required') })
const act = {
  method: 'POST',
  audience: 'staff:people',
  params: named,
  body: reason,
  /** How many were ended or removed. */
  reply: v.object({ data: v.object({ count }) }),
} as const

/** `forbidden`: the person is the caller, or has an equal or higher role. Requires a validation, as the others. */
export const endPersonSessions = endpoint({
  ...act,
  name: 'endPersonSessions',
  path: '/admin/people/:user_id/end-sessions',
  summary: 'ユーザーをすべての端末からログアウトさせます',
  errors: ['unauthenticated', 'not_found', 'validation_required', 'forbidden', 'invalid'],
})

export const removePersonPasskeys = endpoint({
  ...act,
  name: 'removePersonPasskeys',
  path: '/admin/people/:user_id/remove-passkeys',
  summary: 'ユーザーのパスキーをすべて削除します',
  errors: ['unauthenticated', 'not_found', 'validation_required', 'forbidden', 'invalid'],
})

export const removePersonSecondFactor = endpoint({
  ...act,
  name: 'removePersonSecondFactor',
  path: '/admin/people/:user_id/remove-totp',
  summary: 'ユーザーの2段階認証を解除します',
  errors: ['unauthenticated', 'not_found', 'validation_required', 'forbidden', 'invalid'],
})

/**
 * Sends a link to the account's address, by which a person who cannot sign in begins the waiting time. `conflict`: the account is
 * suspended or leaving, or a recovery is confirmed. `identity_required`: the person has no approved identity check.
 */
export const beginAccountRecovery = endpoint({
  name: 'beginAccountRecovery',
  method: 'POST',
  path: '/admin/people/:user_id/recovery',
  audience: 'staff:people',
  summary: 'ログインの復旧を始めます',
  params: named,
  body: v.object({ proof: v.picklist(recoveryProofs, 'required') }),
  /** Until when the link is valid. */
  reply: v.object({ data: v.object({ expires_at: instant }) }),
  errors: [
    'unauthenticated',
    'not_found',
    'validation_required',
    'forbidden',
    'conflict',
    'identity_required',
    'invalid',
  ],
})

export const staffPeopleEndpoints = [
  findPeople,
  readPerson,
  readPersonEmail,
  endPersonSessions,
  removePersonPasskeys,
  removePersonSecondFactor,
  beginAccountRecovery,
] as const
