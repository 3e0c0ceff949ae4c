// Gives a plan to a member without payments, and ends that.
import type { addComplimentary as addEndpoint } from '#contract/adjustments/complimentary.ts'
import { MAX_COMPLIMENTARY_DAYS } from '#contract/adjustments/limits.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { complimentaryLines } from '#server/rules/money/ledger.ts'
import { dayAfter, dayOf } from '#server/rules/money/periods.ts'
import { endOfDay } from '#server/rules/plan-state.ts'
import { type ActedBy, refuseOwn } from '#server/services/billing/money-door.ts'
import { bookEntry } from '#server/services/payments/book.ts'
import {
  addComplimentary,
  type ComplimentaryRow,
  endComplimentary,
  lockComplimentary,
  openComplimentary,
} from '#server/store/adjustments/complimentary.ts'
import { blockedAmong, lockPair } from '#server/store/people/blocks.ts'
import { accountState, findUser } from '#server/store/people/people.ts'
import { lockPlan } from '#server/store/plans/offers.ts'
import { findPlanFacts } from '#server/store/plans/plan-facts.ts'
import { findPerson } from './search.ts'

type Asked = BodyOf<typeof addEndpoint>

/**
 * Opens a plan to a member to the end of a day, and books what the platform pays its creator for it.
 * @throws ApiError `not_found`, `invalid`, `conflict`
 */
export async function giveMembership(deps: Deps, unit: Unit, by: ActedBy, asked: Asked): Promise<void> {
  const { tx } = unit
  const now = deps.clock()
  await lockPlan(tx, asked.plan_id)
  const plan = await findPlanFacts(tx, asked.plan_id, now)
  const isOver = plan?.endsAt !== undefined && plan.endsAt !== null && plan.endsAt.getTime() <= now
  if (!plan || isOver) throw new ApiError('not_found')
  const today = dayOf(now)
  if (asked.ends_on < today) throw new ApiError('invalid', { ends_on: 'too_small' })
  if (asked.ends_on > dayAfter(today, MAX_COMPLIMENTARY_DAYS))
    throw new ApiError('invalid', { ends_on: 'too_large' })
  const { creatorId } = plan
  const userId = await findPerson(tx, asked.member)
  if (userId === undefined || (await accountState(tx, userId)) !== 'present')
    throw new ApiError('invalid', { member: 'unknown_person' })
  if (userId === creatorId) throw new ApiError('conflict')
  await refuseOwn(tx, by, [userId, creatorId])
  await lockPair(tx, userId, creatorId)
  if ((await blockedAmong(tx, userId, [creatorId])).size > 0) throw new ApiError('conflict')
  // A plan whose end is announced opens nothing after it.
  const until = Math.min(endOfDay(asked.ends_on), plan.endsAt?.getTime() ?? Number.POSITIVE_INFINITY)
  const row: ComplimentaryRow = {
    id: asked.id,
    userId,
    creatorId,
    planId: asked.plan_id,
    paid: asked.paid,
    reason: asked.reason,
    actorId: by.actorId,
    createdAt: new Date(now),
    endsAt: new Date(until),
  }
  if (!(await addComplimentary(tx, row))) throw new ApiError('conflict')
  if (!(await openComplimentary(tx, row, now))) throw new ApiError('conflict')
  unit.endConnections({ is: 'permissions', userIds: [userId] })
  const lines = complimentaryLines(asked.paid, creatorId)
  if (lines.length > 0)
    await bookEntry(unit, { cause: 'complimentary', complimentaryId: row.id, creatorId, lines }, now)
  await announce(deps, unit, row, plan.name)
  const audited = { act: 'complimentary.give', subjectKind: 'complimentary', subjectId: row.id } as const
  const detail = {
    plan: plan.id,
    member: userId,
    ends_on: asked.ends_on,
    paid: asked.paid,
  }
  unit.audit({ ...by, ...audited, detail })
}

/** Emails the member and the creator. */
async function announce(
  { settings: { publicUrl } }: Deps,
  { tx, email }: Unit,
  { userId, creatorId, paid: amount, reason, endsAt }: ComplimentaryRow,
  plan: string,
): Promise<void> {
  const [member, creator] = [await findUser(tx, userId), await findUser(tx, creatorId)]
  if (!member || !creator) return
  const until = endsAt.getTime()
  const page = `${publicUrl}/profile/${creatorId}`
  await email(
    { email: member.email, name: member.name },
    { is: 'complimentary', creator: creator.name, plan, until, reason, url: page },
  )
  if (creator.deletedAt !== null) return
  const sales = `${publicUrl}/settings/sales-management`
  await email(
    { email: creator.email, name: creator.name },
    { is: 'complimentary_given', member: member.name, plan, until, amount, reason, url: sales },
  )
}

/** Ends it at once. @throws ApiError `not_found`; `conflict` when it is over */
export async function endGiven(deps: Deps, unit: Unit, id: string, by: ActedBy): Promise<void> {
  const { tx } = unit
  const now = deps.clock()
  const row = await lockComplimentary(tx, id)
  if (!row) throw new ApiError('not_found')
  if (row.endsAt.getTime() <= now) throw new ApiError('conflict')
  await endComplimentary(tx, id, now)
  unit.endConnections({ is: 'permissions', userIds: [row.userId] })
  const audited = { act: 'complimentary.end', subjectKind: 'complimentary', subjectId: id } as const
  unit.audit({ ...by, ...audited, detail: { member: row.userId } })
}
