// Tasks of the operator about money, and refunds, for admins.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { bookedReply } from '#contract/adjustments/adjustments.ts'
import { earlierRefs } from './earlier-refs.ts'
import { paymentStates } from './payments.ts'

/**
 * `refund`, `refund_surplus`: the provider has no interface, so the operator returns the money in the provider's panel.
 * `notice_mismatch`: a notice was refused. `difference`: the provider's list differs. `stop_charges`, `change_amount`,
 * `resume_charges`: of the recurring charge of a membership. `clear_balance`: a balance of a deleted account that no payout can pay.
 * `old_balance`: a balance older than six months of a person who is present. `second_person`: a member of staff has made an act above an
 * amount, which another one has to make too. `unsettled_charge`: a charge that came from an uploaded list, until a settlement of the provider
 * covers it. `withhold_tax`: a payout to a person abroad, until staff decide how much tax is withheld.
 */
export const taskKinds = [
  'refund',
  'refund_surplus',
  'notice_mismatch',
  'difference',
  'stop_charges',
  'change_amount',
  'resume_charges',
  'clear_balance',
  'old_balance',
  'second_person',
  'unsettled_charge',
  'withhold_tax',
] as const
export type TaskKind = (typeof taskKinds)[number]

/**
 * How a task came to its end. `by_hand`: staff closed it. `settled`: what it asked for was done or booked. `found_right`: a later comparison
 * with the provider's list found no difference any more. `grouped`: the task about other notices of the same reason counts it.
 */
export const taskEnds = ['by_hand', 'settled', 'found_right', 'grouped'] as const
export type TaskEnd = (typeof taskEnds)[number]

/** Lists of tasks. */
export const taskLists = ['open', 'closed'] as const
export type TaskList = (typeof taskLists)[number]

/** The newest notices that a task shows. */
export const NEWEST_NOTICES = 5

/** Notices that were refused for the same reason. */
const refusedNotices = v.object({
  count: v.number(),
  last_at: instant,
  /** The newest of them, at most `NEWEST_NOTICES`, the newest first. */
  newest: v.array(
    v.object({
      /** The provider's number of the charge; '' where the notice had none. */
      charge_ref: v.string(),
      payment_id: v.nullable(id),
      at: instant,
    }),
  ),
})

const taskPayment = v.object({
  id,
  /** Yen, tax included. */
  amount: v.number(),
  state: v.picklist(paymentStates),
  post_id: v.nullable(id),
  plan_id: v.nullable(id),
  paid_at: v.nullable(instant),
  buyer: personView,
  creator: personView,
})

const operatorTask = v.object({
  id,
  kind: v.picklist(taskKinds),
  created_at: instant,
  due_at: instant,
  /** The provider in whose panel it is done, as it is configured; undefined for a task of a version that stored none. */
  provider: v.optional(v.object({ name: v.string(), is_practice: v.boolean() })),
  /** The provider's number of the charge; '' where there is none. Servers of the version before leave out both numbers. */
  charge_ref: v.optional(v.string(), ''),
  /** The provider's number of the recurring charge; '' where there is none. */
  recurring_ref: v.optional(v.string(), ''),
  ...earlierRefs,
  /** Yen; null where the task is about no amount. */
  amount: v.nullable(v.number()),
  /** Code of the reason; '' where the kind says all. */
  why: v.string(),
  /** Null where no payment is known. */
  payment: v.nullable(taskPayment),
  /** Whose balance it is about; null for other kinds. Servers of the version before leave it out. */
  creator: v.optional(v.nullable(personView), null),
  /** The member of staff who has made the act that needs a second one; null for other kinds. */
  actor: v.optional(v.nullable(personView), null),
  /** Of `notice_mismatch`; null for other kinds, and for tasks of versions that made one of each notice. */
  notices: v.optional(v.nullable(refusedNotices), null),
  /** Null while it is open. Servers of the version before list open tasks alone. */
  done_at: v.optional(v.nullable(instant), null),
  /** Null while it is open, and for tasks that were closed by versions that stored none. */
  done_why: v.optional(v.nullable(v.picklist(taskEnds)), null),
})
export type OperatorTaskView = v.InferOutput<typeof operatorTask>

/**
 * Open tasks, the next deadline first, or closed ones, the last one first; 50 a page. Each reading is in the audit log.
 * `invalid` with `cursor: malformed`: no page has sent it.
 */
export const listOperatorTasks = endpoint({
  name: 'listOperatorTasks',
  method: 'GET',
  path: '/admin/tasks',
  audience: 'staff:money',
  summary: 'お金についての運営の作業',
  query: v.object({
    state: v.optional(v.picklist(taskLists), 'open'),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
  }),
  reply: v.object({
    tasks: v.array(operatorTask),
    /** For pages of the version before, which have `next`. */
    has_more: v.boolean(),
    next: v.optional(v.nullable(v.string()), null),
    /** All open tasks, in both lists; undefined from servers of the version before. */
    open_count: v.optional(v.number()),
  }),
  errors: ['unauthenticated', 'not_found'],
})

/**
 * Closes a task that was done by hand. For a refund the ledger then has the returned money. `not_found`: the task does not
 * exist or is closed. `conflict`: it is about a balance or a charge of a list, and closed by what settles that.
 */
export const closeOperatorTask = endpoint({
  name: 'closeOperatorTask',
  method: 'POST',
  path: '/admin/tasks/:task_id/close',
  audience: 'staff:money',
  summary: '運営の作業を完了にします',
  params: v.object({ task_id: id }),
  body: v.object({
    /** With `true`, nothing is changed. Pages of the version before leave it out. */
    preview: v.optional(v.boolean(), false),
  }),
  reply: v.object({ data: v.object({ id }), booked: v.optional(bookedReply) }),
  errors: ['unauthenticated', 'not_found', 'forbidden', 'validation_required', 'conflict'],
})

/** Longest text of a list of charges, characters; a longer file is sent in parts. */
export const MAX_CHARGES_TEXT = 250_000

/** A charge of the list that no notice has reported. */
const lostCharge = v.object({
  charge_ref: v.string(),
  /** Whole yen. */
  amount: v.number(),
  /** Whether it pays for nothing, and is returned. */
  is_surplus: v.boolean(),
  payment_id: id,
  buyer: v.nullable(personView),
  creator: v.nullable(personView),
})

/**
 * Compares the provider's list of charges, which the operator has downloaded as CSV, with the recorded ones: what was lost is
 * applied, and each difference becomes a task. `invalid` with `text: malformed`: a column is missing or a row cannot be
 * read, and nothing is compared. `unavailable`: no configured provider has such lists. `forbidden`: one of the charges is of
 * the own purchase or sale.
 */
export const reconcileByAdmin = endpoint({
  name: 'reconcileByAdmin',
  method: 'POST',
  path: '/admin/reconciliation',
  audience: 'staff:money',
  summary: '決済代行会社の一覧と照合します',
  body: v.object({
    text: v.pipe(v.string(), v.maxLength(MAX_CHARGES_TEXT, 'too_long')),
    /** With `true`, nothing is changed. Pages of the version before leave it out. */
    preview: v.optional(v.boolean(), false),
  }),
  reply: v.object({
    /** Charges of the list, those that were applied now, and those that differ. */
    listed: v.number(),
    applied: v.number(),
    differences: v.number(),
    charges: v.optional(v.array(lostCharge), []),
    /** Whether it is done, and not only shown. */
    done: v.optional(v.boolean(), true),
    /** Whether a second member of staff has to upload the same charges. */
    waits: v.optional(v.boolean(), false),
  }),
  errors: ['unauthenticated', 'not_found', 'forbidden', 'validation_required', 'unavailable'],
})
