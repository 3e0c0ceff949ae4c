// Passkeys: keys that stay on a person's device and open a session beside the password.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { getValidation } from './password.ts'
import { nameText } from '#contract/rules.ts'
import { sessionReply } from './session.ts'

/** A challenge is valid once, and for this time, ms. */
export const CHALLENGE_MS = 5 * 60_000
/** Most passkeys of one person. */
export const MAX_PASSKEYS = 20
/** Longest name of a passkey, grapheme clusters. */
export const MAX_PASSKEY_NAME = 50

/** Bytes as base64url text. */
const bytes = (most: number) =>
  v.pipe(v.string(), v.maxLength(most, 'too_long'), v.regex(/^[\w-]+$/, 'malformed'))
/** Credential ids are at most 1023 bytes (WebAuthn section 5.1). */
/** As browsers write it: base64url. */
export const credentialId = bytes(1400)

/** What WebAuthn's JSON methods take: read by the browser, not by this code. */
const options = v.looseObject({ challenge: v.string() })

const challenge = v.object({ challenge_id: id, options })

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: v.literal('public-key'),
  authenticatorAttachment: v.optional(v.picklist(['platform', 'cross-platform'])),
}

export const attestation = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(40_000),
    transports: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(40))), v.maxLength(10)), []),
  }),
})
export type Attestation = v.InferOutput<typeof attestation>

export const assertion = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(4000),
    userHandle: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200)))),
  }),
})
export type Assertion = v.InferOutput<typeof assertion>

export const passkeyName = nameText(MAX_PASSKEY_NAME)

export const passkeyView = v.object({
  id: v.string(),
  name: v.string(),
  /** Whether the password manager syncs it to the person's other devices. */
  backed_up: v.boolean(),
  created_at: instant,
  last_used_at: v.nullable(instant),
})
export type PasskeyView = v.InferOutput<typeof passkeyView>

const named = v.object({ passkey_id: credentialId })

export const listPasskeys = endpoint({
  name: 'listPasskeys',
  method: 'GET',
  path: '/auth/passkeys',
  audience: 'member',
  summary: '登録したパスキー',
  reply: v.object({ passkeys: v.array(passkeyView) }),
  errors: ['unauthenticated'],
})

export const requestNewPasskey = endpoint({
  name: 'askNewPasskey',
  method: 'POST',
  path: '/auth/passkeys/challenge',
  audience: 'member',
  summary: 'パスキーの登録を始めます',
  reply: challenge,
  errors: ['unauthenticated', 'validation_required', 'passkey_required', 'conflict'],
})

/** `conflict`: this passkey is registered already. */
export const addPasskey = endpoint({
  name: 'addPasskey',
  method: 'POST',
  path: '/auth/passkeys',
  audience: 'member',
  summary: 'パスキーを登録します',
  body: v.object({ challenge_id: id, response: attestation }),
  reply: passkeyView,
  errors: [
    'unauthenticated',
    'validation_required',
    'passkey_required',
    'passkey_refused',
    'passkey_unverified',
    'conflict',
  ],
})

export const renamePasskey = endpoint({
  name: 'renamePasskey',
  method: 'PUT',
  path: '/auth/passkeys/:passkey_id',
  audience: 'member',
  summary: 'パスキーの名前を変更します',
  params: named,
  body: v.object({ name: passkeyName }),
  reply: passkeyView,
  errors: ['unauthenticated', 'not_found'],
})

export const removePasskey = endpoint({
  name: 'removePasskey',
  method: 'DELETE',
  path: '/auth/passkeys/:passkey_id',
  audience: 'member',
  summary: 'パスキーを削除します',
  params: named,
  reply: v.object({ removed: v.literal(true) }),
  errors: ['unauthenticated', 'validation_required', 'passkey_required', 'not_found'],
})

export const requestPasskeySignIn = endpoint({
  name: 'askPasskeySignIn',
  method: 'POST',
  path: '/auth/sign-in/passkey/challenge',
  audience: 'open',
  summary: 'パスキーでのサインインを始めます',
  reply: challenge,
  errors: [],
})

/** No address is typed: the passkey identifies its account. */
export const passkeySignIn = endpoint({
  name: 'passkeySignIn',
  method: 'POST',
  path: '/auth/sign-in/passkey',
  audience: 'open',
  summary: 'パスキーでサインインします',
  body: v.object({ challenge_id: id, response: assertion }),
  reply: sessionReply,
  errors: ['passkey_refused', 'passkey_unverified', 'suspended'],
})

export const requestPasskeyValidation = endpoint({
  name: 'askPasskeyValidation',
  method: 'POST',
  path: '/auth/validation/passkey/challenge',
  audience: 'member',
  summary: 'パスキーでの本人確認を始めます',
  reply: challenge,
  errors: ['unauthenticated'],
})

/** In place of the password; only a passkey that has made sure of its person (PIN, finger, face) counts. */
export const validateByPasskey = endpoint({
  name: 'validateByPasskey',
  method: 'POST',
  path: '/auth/validation/passkey',
  audience: 'member',
  summary: 'パスキーで本人であることを確認します。10分間有効です',
  body: v.object({ challenge_id: id, response: assertion }),
  reply: getValidation.reply,
  errors: ['unauthenticated', 'passkey_refused', 'passkey_unverified'],
})
