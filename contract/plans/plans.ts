// Plans of creators: what members join, and how creators offer it.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import {
  MAX_MEMBER_LIMIT,
  MAX_NAME,
  MAX_PLANS,
  MAX_PLAN_TEXT,
  MAX_PRICE,
  MAX_THANKS,
  MIN_PRICE,
} from '#contract/limits.ts'
import { openPicture } from '#contract/posts/media.ts'
import { day, max, maxLength, min, nameText } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'

/** A plan in a choice or on a gate. */
export const planView = v.object({
  id,
  name: v.string(),
  /** Yen a month, tax included. */
  price: v.number(),
})
export type PlanView = v.InferOutput<typeof planView>

/**
 * Whether a plan can be joined. `full`: it has as many members as its limit. `paused`: the creator accepts no new members
 * for now. `closing`: it ends at `ends_at`, and accepts no new members. `ended`: it has no members.
 */
export const planState = v.picklist(['open', 'full', 'paused', 'closing', 'ended'])
export type PlanState = v.InferOutput<typeof planState>

/** Which plan posts a member can read: all, or those released since they joined and in months that they had before. */
export const backNumbers = v.picklist(['all', 'since_joining'])
export type BackNumbers = v.InferOutput<typeof backNumbers>

/** A plan as people see it before they join. Replies that devices cached from earlier servers lack the optional fields. */
export const planCard = v.object({
  ...planView.entries,
  /** What members get, several lines. */
  description: v.optional(v.string(), ''),
  picture: v.optional(v.nullable(openPicture), null),
  state: v.optional(planState, 'open'),
  /** When it ends; null unless its end was announced. */
  ends_at: v.optional(v.nullable(instant), null),
  back_numbers: v.optional(backNumbers, 'all'),
  /** Whether it opens the posts of the creator's cheaper plans too. */
  opens_cheaper: v.optional(v.boolean(), true),
})
export type PlanCard = v.InferOutput<typeof planCard>

/** A plan as its creator sees it. */
export const ownPlan = v.object({
  ...planCard.entries,
  /** `making`: a new picture was sent, and replaces the old one when it is processed. */
  next_picture: v.picklist(['none', 'making', 'failed']),
  accepts_members: v.boolean(),
  /** Most members; null without a limit. */
  member_limit: v.nullable(v.number()),
  /** Sent to each new member; '' without one. */
  thanks: v.string(),
  /** How many are members now. */
  member_count: v.number(),
  /** Yen that its members pay a month, by the prices they agreed to. */
  monthly_yen: v.optional(v.number(), 0),
})
export type OwnPlan = v.InferOutput<typeof ownPlan>

/** Text of several lines, as the writer counted it. */
const lines = (most: number) =>
  v.pipe(
    v.string('malformed'),
    v.transform((it) => asLines(it).trim()),
    maxLength(most),
  )

const wholeNumber = (least: number, most: number) =>
  v.pipe(v.number('malformed'), v.integer('malformed'), min(least), max(most))

/** The single texts of the plan form. */
export const planTexts = {
  name: nameText(MAX_NAME),
  description: lines(MAX_PLAN_TEXT),
  thanks: lines(MAX_THANKS),
}

const yenOfPlan = wholeNumber(MIN_PRICE, MAX_PRICE)

const offer = {
  ...planTexts,
  price: yenOfPlan,
  member_limit: v.nullable(wholeNumber(1, MAX_MEMBER_LIMIT)),
  accepts_members: v.boolean('malformed'),
  opens_cheaper: v.boolean('malformed'),
  back_numbers: v.picklist(backNumbers.options, 'malformed'),
}

const params = v.object({ plan_id: id })
const ownPlans = v.object({ plans: v.array(ownPlan) })

/** The signed-in creator's own plans, in their order. Those that have ended come last. */
export const listOwnPlans = endpoint({
  name: 'listOwnPlans',
  method: 'GET',
  path: '/plans/own',
  audience: 'member',
  summary: '自分のプラン',
  reply: ownPlans,
  errors: ['unauthenticated'],
})

/**
 * Adds a plan, after those that exist. A second request with the same id changes nothing and gets the plan as it is.
 * `identity_required`: the creator has no approved identity check. `plan_limit`: there are `MAX_PLANS` already.
 * `conflict`: the id is another person's.
 */
export const addPlan = endpoint({
  name: 'addPlan',
  method: 'POST',
  path: '/plans',
  audience: 'member',
  summary: 'プランを作成します',
  body: v.object({
    /** Made by the device. */
    id,
    ...offer,
  }),
  reply: ownPlan,
  errors: ['unauthenticated', 'identity_required', 'under_age', 'plan_limit', 'conflict'],
})

/**
 * Changes the given fields and no others. A price applies to people who join later. `conflict`: the plan's end was
 * announced, or it has ended, and its offer cannot change any more.
 */
export const changePlan = endpoint({
  name: 'changePlan',
  method: 'PATCH',
  path: '/plans/:plan_id',
  audience: 'member',
  summary: '自分のプランを変更します',
  params,
  body: v.partial(v.object(offer)),
  reply: ownPlan,
  errors: ['unauthenticated', 'not_found', 'identity_required', 'under_age', 'conflict'],
})

/**
 * What an offer, before it is saved, would open to members of the creator's plans that is closed to them: ten minutes after it was
 * saved, if it stays. Nothing takes it away later. `not_found`: the plan is another person's; an unknown id is that of a new plan.
 */
export const listPlanOpenings = endpoint({
  name: 'listPlanOpenings',
  method: 'GET',
  path: '/plans/openings',
  audience: 'member',
  summary: 'プランの変更で、新しく投稿を見られるようになる人数',
  query: v.object({
    plan_id: id,
    price: v.pipe(v.string('malformed'), v.regex(/^\d{1,9}$/, 'malformed'), v.transform(Number), yenOfPlan),
    opens_cheaper: v.pipe(
      v.picklist(['true', 'false'], 'malformed'),
      v.transform((it) => it === 'true'),
    ),
  }),
  reply: v.object({
    openings: v.array(
      v.object({
        /** The plan of the members. */
        plan: planView,
        /** The plan that is opened to them; its name is '' while it is new. */
        opened: planView,
        members: v.number(),
      }),
    ),
  }),
  errors: ['unauthenticated', 'not_found'],
})

/** Sets the order of the own plans. Plans that are not named come after those that are. */
export const orderPlans = endpoint({
  name: 'orderPlans',
  method: 'PUT',
  path: '/plans/order',
  audience: 'member',
  summary: '自分のプランの並び順を変更します',
  body: v.object({ plan_ids: v.pipe(v.array(id), v.maxLength(10 * MAX_PLANS, 'too_long')) }),
  reply: ownPlans,
  errors: ['unauthenticated'],
})

/**
 * Announces the end of a plan. It accepts no new members from now on; those it has stay until the end of that day in
 * Asia/Tokyo. With members the day is at least `PLAN_NOTICE_DAYS` away; without, it may be today. The announced day cannot
 * change; the same day again changes nothing, another one is a `conflict`.
 */
export const closePlan = endpoint({
  name: 'closePlan',
  method: 'POST',
  path: '/plans/:plan_id/close',
  audience: 'member',
  summary: '自分のプランの終了日を決めます',
  params,
  body: v.object({ ends_on: day }),
  reply: ownPlan,
  errors: ['unauthenticated', 'not_found', 'conflict'],
})

/** Sends the picture of a plan, cropped by the device. Until it is processed the old one stays. */
export const putPlanPicture = endpoint({
  name: 'putPlanPicture',
  method: 'PUT',
  path: '/plans/:plan_id/picture',
  audience: 'member',
  summary: 'プランの画像を変更します',
  params,
  body: v.object({}),
  encoding: 'multipart',
  files: ['picture'],
  reply: ownPlan,
  errors: ['unauthenticated', 'not_found', 'too_large', 'unsupported_media', 'storage_limit', 'storage_full'],
})

export const removePlanPicture = endpoint({
  name: 'removePlanPicture',
  method: 'DELETE',
  path: '/plans/:plan_id/picture',
  audience: 'member',
  summary: 'プランの画像を外します',
  params,
  reply: ownPlan,
  errors: ['unauthenticated', 'not_found'],
})
