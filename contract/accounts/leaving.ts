// Leaving: the deletion of an account, seven days after the request for it.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { instant } from '#contract/ids.ts'
import { membershipNote } from '#contract/memberships/memberships.ts'
import { maxLength } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'

/** From the request to the deletion, ms. */
export const LEAVING_MS = 7 * 24 * 3600_000
/** Longest note beside the reason, grapheme clusters. */
export const MAX_LEAVING_NOTE = 500

/** Why a person deletes the account; `unsaid` is a valid value. */
export const leavingReasons = [
  'unused',
  'hard_to_use',
  'not_delivered',
  'people',
  'privacy',
  'money',
  'another_account',
  'other',
  'unsaid',
] as const
export type LeavingReason = (typeof leavingReasons)[number]

export const requestDeletionBody = v.object({
  reason: v.picklist(leavingReasons),
  note: v.optional(
    v.pipe(
      v.string(),
      v.transform((it) => asLines(it).trim()),
      maxLength(MAX_LEAVING_NOTE),
    ),
    '',
  ),
})

const yen = v.pipe(v.number(), v.integer())

/** What a deletion does to what the person has sold; as of now, since sales and refunds change it until the erasure. */
const earnings = v.object({
  /** The balance, negative when more was returned to buyers than was left. */
  balance: yen,
  /** What of it is of closed months, and can be requested now. */
  available: yen,
  /** What of it is of the month that is not closed. */
  open_month: yen,
  /** Whether a bank account is stored to which the rest is paid. */
  has_account: v.boolean(),
  /** Plans that stop, with the members whose charges stop. */
  plans: v.array(v.object({ name: v.string(), members: v.number() })),
  /** Paid months that run beyond the erasure: how many are refunded, their yen, and what of it the balance bears. */
  refunds: v.object({ count: v.number(), amount: yen, cost: yen }),
  /** Bought posts that stay for their buyers for a time, and how many people these are. */
  kept: v.object({ posts: v.number(), buyers: v.number() }),
})
export type LeavingEarnings = v.InferOutput<typeof earnings>

const leaving = v.object({ requested_at: instant, due_at: instant })

/** What a deletion does to memberships; replies of earlier servers lack it. */
const effects = {
  /** The person's memberships that have not ended; of an account that waits, those whose charges the deletion stopped. */
  memberships: v.optional(v.array(membershipNote), []),
  /** Members of the person's plans whose charges it stops, or stopped. */
  members: v.optional(v.number(), 0),
  /** Bought posts, which close with the request, and what was paid for them, yen. */
  bought: v.optional(v.object({ posts: v.number(), amount: yen }), { posts: 0, amount: 0 }),
  /** Null for a person who has sold nothing and has no plan. */
  earnings: v.optional(v.nullable(earnings), null),
}

/** `leaving` is null for an account that stays. */
export const getDeletion = endpoint({
  name: 'getDeletion',
  method: 'GET',
  path: '/user/deletion',
  audience: 'member',
  whileLeaving: true,
  summary: 'アカウントの削除の予定',
  reply: v.object({ leaving: v.nullable(leaving), ...effects }),
  errors: ['unauthenticated'],
})

/**
 * Hides the account from all other people at once, ends the person's other sessions and sends an email with a link that
 * takes it back. Requires a recent password validation.
 */
export const requestDeletion = endpoint({
  name: 'askDeletion',
  method: 'POST',
  path: '/user/deletion',
  audience: 'member',
  summary: 'アカウントの削除を申し込みます（7日間は取り消せます）',
  body: requestDeletionBody,
  reply: v.object({ leaving }),
  errors: ['unauthenticated', 'validation_required', 'leaving'],
})

/** With the memberships whose charges the deletion had stopped: they do not go on by themselves. */
const undone = v.object({ undone: v.literal(true), stopped: v.optional(v.array(membershipNote), []) })

/** `gone` when the deletion has begun. */
export const cancelDeletion = endpoint({
  name: 'undoDeletion',
  method: 'DELETE',
  path: '/user/deletion',
  audience: 'member',
  whileLeaving: true,
  summary: 'アカウントの削除を取り消します',
  reply: undone,
  errors: ['unauthenticated', 'gone'],
})

/** Takes the deletion back by the link of the email, without a session; opens no session. */
export const undoDeletionByLink = endpoint({
  name: 'undoDeletionByLink',
  method: 'POST',
  path: '/user/deletion/undo',
  audience: 'open',
  summary: 'メールのリンクでアカウントの削除を取り消します',
  body: v.object({ token: v.pipe(v.string(), v.nonEmpty('required'), v.maxLength(100, 'too_long')) }),
  reply: undone,
  errors: ['link_invalid'],
})
