// A creator with plans, and members who join by notices.
import { newId } from '#contract/ids.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { MembershipView } from '#contract/memberships/memberships.ts'
import type { getPayment } from '#contract/payments/payments.ts'
import type { listJoinedPlans } from '#contract/plans/members.ts'
import type { OwnPlan } from '#contract/plans/plans.ts'
import { announcePriceTo, closePlanOf } from '#server/services/memberships/plan-changes.ts'
import { openPlansOf, stopWhatEnds } from '#server/services/memberships/stop.ts'
import { stopRecurring, syncCharges } from '#server/services/memberships/sync-charges.ts'
import { returnCharge } from '#server/services/payments/refund.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import {
  type BegunPayment,
  fieldsAt,
  type FormFields,
  notice,
  noticeFields,
  releasedPost,
} from '#server/testing/payments/shop.ts'
import { call, identify, type Member, type Reply, signUp } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

export interface Club {
  readonly creator: Member
  readonly fan: Member
  readonly plan: OwnPlan
}

/** A creator with one plan of 500 yen, and a fan. */
export async function openClub(world: World, more: object = {}): Promise<Club> {
  const [creator, fan] = [await identify(world, await signUp(world)), await signUp(world)]
  return { creator, fan, plan: await addedPlan(world, creator, more) }
}

export async function addedPlan(world: World, creator: Member, more: object = {}): Promise<OwnPlan> {
  const offer = {
    id: newId(),
    name: '夜の部屋',
    description: '',
    thanks: 'ありがとう。',
    price: 500,
    member_limit: null,
    accepts_members: true,
    opens_cheaper: true,
    back_numbers: 'all',
    ...more,
  }
  return (await call(world, creator, 'POST', '/plans', offer)).json<OwnPlan>()
}

/** A released post of plans. */
export const planPost = (world: World, creator: Member, ...planIds: string[]): Promise<string> =>
  releasedPost(world, creator, [
    ['content', 'プランの投稿です'],
    ['type', '2'],
    ...planIds.map((id) => ['plan_id[]', id] as const),
  ])

export const beginJoining = (
  world: World,
  as: Member | null,
  planId: string,
  more: object = {},
): Promise<Reply> =>
  call(world, as, 'POST', '/memberships', { payment_id: newId(), plan_id: planId, price: 500, ...more })

export interface Joining {
  /** The payment's id, which becomes that of the membership. */
  readonly id: string
  readonly fields: FormFields
  readonly acid: string
}

/** Begins to join a plan. */
export async function joining(world: World, as: Member, planId: string, price = 500): Promise<Joining> {
  const begun = (await beginJoining(world, as, planId, { price })).json<BegunPayment>()
  return { id: begun.id, fields: await fieldsAt(world, begun), acid: newId() }
}

/** Joins a plan by a true notice. */
export async function joined(world: World, as: Member, planId: string, price = 500): Promise<Joining> {
  const it = await joining(world, as, planId, price)
  await charge(world, it)
  return it
}

export const beginCard = (world: World, as: Member | null, id: string, more: object = {}): Promise<Reply> =>
  call(world, as, 'POST', `/memberships/${id}/card`, {
    payment_id: newId(),
    act: 'register',
    price: 500,
    ...more,
  })

/** Begins to change the card of a membership. `id` is that of the form. */
export async function changingCard(
  world: World,
  as: Member,
  membershipId: string,
  more: object = {},
): Promise<Joining> {
  const begun = (await beginCard(world, as, membershipId, more)).json<BegunPayment>()
  return { id: begun.id, fields: await fieldsAt(world, begun), acid: newId() }
}

/** Sends the true notice of a charge of a recurring charge; of the form that registers a card, that of the registration. */
export const charge = (world: World, { fields, acid }: Joining, more: FormFields = {}): Promise<Reply> =>
  notice(world, { ...noticeFields(fields), acid, ...more })

/** Reasons of a payment's charges that paid for nothing, as its buyer reads them. @param id of the payment */
export async function returnedFor(world: World, as: Member, id: string): Promise<(string | null)[]> {
  const payment = await call(world, as, 'GET', `/payments/${id}`)
  return payment.json<ReplyOf<typeof getPayment>>().surplus.map(({ reason }) => reason)
}

/** The notice that a recurring charge failed (`3`), or was stopped by the provider (`2`) or the buyer (`4`). */
export const report = (world: World, { id, acid }: Joining, rst: '2' | '3' | '4'): Promise<Reply> =>
  notice(world, { rst, cod: id, acid })

export const joinedPlansOf = async (world: World, as: Member): Promise<ReplyOf<typeof listJoinedPlans>> =>
  (await call(world, as, 'GET', '/plans/joined')).json()

/** The member's only membership. */
export async function membershipOf(world: World, as: Member): Promise<MembershipView | undefined> {
  const [first] = (await joinedPlansOf(world, as)).plans
  return first?.membership ?? undefined
}

const own =
  (method: 'POST' | 'PUT' | 'DELETE', path: string) =>
  (world: World, as: Member | null, id: string, body?: object): Promise<Reply> =>
    call(world, as, method, `/memberships/${id}${path}`, body ?? (method === 'DELETE' ? undefined : {}))

export const cancel = own('POST', '/cancel')
export const resume = own('POST', '/resume')
export const changeNext = own('PUT', '/next')
export const revokeChange = own('DELETE', '/next')

/** Runs the waiting jobs about memberships and refunds. */
export async function runJobs(world: World): Promise<void> {
  const { deps } = world
  for (const _ of await takeJobs(world, 'membership.stops')) await stopWhatEnds(deps)
  for (const it of await takeJobs(world, 'membership.plan-closing')) await closePlanOf(deps, it)
  for (const it of await takeJobs(world, 'membership.plan-price')) await announcePriceTo(deps, it)
  for (const it of await takeJobs(world, 'membership.open-plans')) await openPlansOf(deps, it)
  for (const it of await takeJobs(world, 'membership.charges')) await syncCharges(deps, it.membershipId)
  for (const it of await takeJobs(world, 'recurring.stop')) await stopRecurring(deps, it)
  for (const it of await takeJobs(world, 'payment.refund')) await returnCharge(deps, it.chargeId)
}
