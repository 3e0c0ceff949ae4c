// Identity checks: a document, a recording of requested gestures, and the state (decision 020).
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { MiB } from '#contract/limits.ts'

/** Metadata by which an upload is for an identity check alone: no post can contain it and no media route serves it. */
export const IDENTITY_PURPOSE = 'identity'

/** Largest picture of a document, and largest recording, bytes. */
export const MAX_DOCUMENT_BYTES = 20 * MiB
export const MAX_LIVE_BYTES = 60 * MiB
/** How long after the request the recording must begin to arrive, ms. */
export const PROMPTS_MS = 15 * 60_000
/** Number of requested gestures. */
export const PROMPT_COUNT = 3
export const MAX_REVIEW_NOTE = 500

export const documentKinds = [
  'drivers_license',
  'my_number_card',
  'passport',
  'residence_card',
  'special_permanent_resident',
] as const
export const documentKind = v.picklist(documentKinds)
export type DocumentKind = v.InferOutput<typeof documentKind>

/**
 * Whether a document's back is required. Never for a My Number card: its back shows the number, whose collection
 * without a legal ground. A passport has its facts on one page.
 */
export const backOf = {
  drivers_license: 'wanted',
  my_number_card: 'refused',
  passport: 'refused',
  residence_card: 'wanted',
  special_permanent_resident: 'wanted',
} as const satisfies Record<DocumentKind, 'wanted' | 'refused'>

/** Gestures that can be requested. `read_digits` has the digits, as `read_digits:4072`. */
export const promptGestures = [
  'turn_right',
  'turn_left',
  'look_up',
  'open_mouth',
  'blink_twice',
  'nod',
  'show_palm',
  'read_digits',
] as const
export type PromptGesture = (typeof promptGestures)[number]

export const prompt = v.pipe(
  v.string(),
  v.regex(/^(?:turn_right|turn_left|look_up|open_mouth|blink_twice|nod|show_palm|read_digits:\d{4})$/),
)

export const parts = ['front', 'back', 'live'] as const
export const part = v.picklist(parts)
export type IdentityPart = v.InferOutput<typeof part>

export const rejectReasons = [
  'unreadable',
  'cut_off',
  'expired_document',
  'wrong_document',
  'details_differ',
  'face_differs',
  'acts_missing',
  'under_age',
  'altered',
  'other',
] as const
export const rejectReason = v.picklist(rejectReasons)
export type RejectReason = v.InferOutput<typeof rejectReason>

export const checkStates = ['submitted', 'in_review', 'approved', 'rejected'] as const
export const checkState = v.picklist(checkStates)
export type CheckState = v.InferOutput<typeof checkState>

const sent = v.object({ id, document_kind: documentKind, submitted_at: instant })

/** State of a person's identity. A check can be submitted only before the first one and after a rejection. */
export const identityState = v.variant('is', [
  v.object({ is: v.literal('none') }),
  v.object({ is: v.literal('submitted'), check: sent }),
  v.object({ is: v.literal('in_review'), check: sent }),
  v.object({ is: v.literal('approved'), at: instant }),
  v.object({
    is: v.literal('rejected'),
    check: sent,
    at: instant,
    reason: rejectReason,
    note: v.string(),
  }),
])
export type IdentityState = v.InferOutput<typeof identityState>

export const getIdentity = endpoint({
  name: 'getIdentity',
  method: 'GET',
  path: '/identity',
  audience: 'member',
  summary: '本人確認の状態と、確認が済んでいるもの',
  reply: v.object({
    state: identityState,
    email: v.object({ address: v.string(), verified: v.boolean() }),
    /** 18 years old by the birth date of the account. */
    age: v.object({ verified: v.boolean() }),
    /** Whether the account has name and reading. A server before decision 120 does not say. */
    legal_name: v.optional(v.object({ given: v.boolean() })),
  }),
  errors: ['unauthenticated'],
})

/** Random gestures; they replace earlier ones. */
export const requestPrompts = endpoint({
  name: 'askIdentityPrompts',
  method: 'POST',
  path: '/identity/prompts',
  audience: 'member',
  summary: '動画で行う動作を求めます',
  reply: v.object({ id, prompts: v.array(prompt), expires_at: instant }),
  errors: ['unauthenticated', 'conflict'],
})

const upload = v.object({
  upload_id: id,
  /** Composite SHA-256 (docs/decisions/002). */
  digest: v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{43}=$/, 'malformed')),
})

export const identityBody = v.object({
  prompts_id: id,
  document_kind: documentKind,
  front: upload,
  back: v.optional(upload),
  live: upload,
})
export type IdentityBody = v.InferOutput<typeof identityBody>

/**
 * Sends finished uploads as one check. The Idempotency-Key header (a UUID) makes the reply to a repeat the same as the first.
 * `conflict`: a check is open or approved already. Fields name what is wrong: `prompts_id` those that were used, are
 * another person's, or were requested too long before the recording arrived; `legal_name` and `legal_name_kana` that the account
 * has none.
 */
export const submitIdentity = endpoint({
  name: 'submitIdentity',
  method: 'POST',
  path: '/identity/checks',
  audience: 'member',
  summary: '本人確認の書類と動画を提出します',
  body: identityBody,
  reply: v.object({ data: sent }),
  errors: [
    'unauthenticated',
    'conflict',
    'too_large',
    'unsupported_media',
    'upload_incomplete',
    'digest_mismatch',
  ],
})
