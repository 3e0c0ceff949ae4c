// The closed list of error codes, their HTTP status, and the shape of every refusal.
import * as v from 'valibot'

/** Every error code of the API, and its HTTP status. Sentences are in `src/domain/api/errors-text.ts`. */
export const errorStatus = {
  bad_request: 400,
  bad_json: 400,
  unauthenticated: 401,
  wrong_credentials: 401,
  forbidden: 403,
  /** The page that calls belongs to another site. */
  forbidden_origin: 403,
  /** The password has to be proven again first. */
  validation_required: 403,
  /** The password was right, and a code of the second factor is needed too. */
  second_factor_required: 403,
  /** Staff reach the administration only with a session that a passkey opened or validated. */
  passkey_required: 403,
  /** Posts for plans and priced posts require an approved identity check of their author. */
  identity_required: 403,
  /** Selling and paying are for adults. */
  under_age: 403,
  /** The link was opened elsewhere than on the device that registered. */
  confirm_password: 403,
  /** The account waits for its deletion: only taking that back is possible. */
  leaving: 403,
  /** An admin has shut the account: nothing is possible with it. */
  suspended: 403,
  /** A passkey's response was not right, or came too late. */
  passkey_refused: 403,
  /** The passkey responded without verifying the person (screen lock, face, fingerprint). */
  passkey_unverified: 403,
  /** A new account would pay more in a day than it may. */
  payment_limit: 403,
  not_found: 404,
  method_not_allowed: 405,
  /** The body did not arrive in time. */
  request_timeout: 408,
  /** The body ended before its own end: a proxy or the network cut it. */
  body_incomplete: 408,
  conflict: 409,
  /** New accounts are not made now. */
  sign_up_closed: 403,
  /** The post has a buyer, who must not lose it. */
  sold: 409,
  /** This file would exceed the storage limit of the person. */
  storage_limit: 403,
  /** A new account did this as often as an hour or a day may have (decision 091). */
  hour_limit: 403,
  day_limit: 403,
  /** The person followed as many people as an hour may have. */
  follow_limit: 403,
  /** The person sent an equal text to as many people as a day may have. */
  text_limit: 403,
  /** The creator has as many plans as are allowed. */
  plan_limit: 409,
  /** The creator has sent as many broadcasts as a day may have. */
  broadcast_limit: 409,
  /** The member has bought the post already. */
  already_bought: 409,
  /** The member has joined the plan, or another plan of its creator. */
  already_joined: 409,
  /** The author of the post accepts no comments on it. */
  comments_closed: 403,
  /** The plan accepts no members now. */
  plan_closed: 409,
  /** Nothing new is sold now; what was bought and joined goes on. */
  sales_paused: 409,
  /** The price is another one than the page showed. */
  price_changed: 409,
  /** What the decision is about was not shown to this member of staff, or is another now (decision 120). */
  unseen: 409,
  upload_exists: 409,
  offset_mismatch: 409,
  chunk_out_of_order: 409,
  upload_incomplete: 409,
  gone: 410,
  /** The post of this idempotency key was published and then deleted: it is not made again. */
  post_deleted: 410,
  link_invalid: 410,
  code_expired: 410,
  too_large: 413,
  unsupported_media: 415,
  invalid: 422,
  digest_mismatch: 422,
  code_wrong: 422,
  upload_held: 423,
  rate_limited: 429,
  /** Too many wrong passwords for one account, from devices that it does not remember. */
  sign_in_paused: 429,
  internal: 500,
  /** A protocol extension was requested that the server does not have. */
  not_implemented: 501,
  unavailable: 503,
  /** The server's disk has no room: the request is to be repeated later, and everything sent so far stays. */
  storage_full: 507,
} as const

export type ErrorCode = keyof typeof errorStatus

/** Why one field was refused; the reply's `fields` maps a field's name to one of these. */
export const fieldCodes = [
  'required',
  'malformed',
  'email',
  'password',
  'wrong_password',
  'unchanged',
  'code',
  /** A wrong code of the second factor, or one that was used before. */
  'wrong_code',
  'too_short',
  'too_long',
  /** More than 16 bytes for each character of the limit. */
  'too_many_bytes',
  /** More than 8 combining marks in a row. */
  'too_many_marks',
  /** Line ends, controls or bidi overrides in a name. */
  'control_characters',
  /** A name without a visible character. */
  'invisible',
  'too_small',
  'too_large',
  'alphanumeric',
  'number',
  'repeat',
  'reset_token',
  'account_name',
  'https_url',
  'under_age',
  'expired',
  /** An approved identity check has fixed it. */
  'locked',
  'consent',
  'unknown_plan',
  'unknown_upload',
  /** Not a released post of the sender. */
  'unknown_post',
  /** The bank, or a branch of it, is not in the directory. */
  'unknown_branch',
  /** No post, comment, person or own message of this site is at this address. */
  'unknown_content',
  /** The post of a request has neither pictures nor a video. */
  'no_media',
  /** Another request about the post waits for its decision. */
  'already_requested',
  /** No account has this id, handle or email. */
  'unknown_person',
  'thumbnail_required',
  'empty_post',
  'unsupported',
  /** A name to be mentioned by: 3 to 20 of a-z, 0-9 and _. */
  'handle',
  /** Another account has it. */
  'taken',
  /** A name or handle that poses as the operator. */
  'reserved',
  /** A telephone number: 9 to 15 digits. */
  'phone',
  /** A registration number of qualified invoices: `T` and 13 digits, of which the first one is right for the others. */
  'registration_number',
] as const

export type FieldCode = (typeof fieldCodes)[number]

const codes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]

/** The body of every response that is not a success: `{ error: { code, fields? } }`. */
export const errorBody = v.object({
  error: v.object({
    code: v.picklist(codes),
    fields: v.optional(v.record(v.string(), v.picklist(fieldCodes))),
  }),
})

export type ErrorBody = v.InferOutput<typeof errorBody>
