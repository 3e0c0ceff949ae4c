// What the page of a plan's order shows, by plan and membership.
import { expect, test } from 'vitest'
import type { RunningMembership } from '#contract/memberships/memberships.ts'
import { type PlanOrderReply, planOrderState } from './plan-order-state.ts'

const plan = { id: 'plan', name: '朝の海', price: 500 }
const other = { id: 'other', name: 'アトリエ', price: 1500 }

const order = (change: object = {}, planChange: object = {}): PlanOrderReply =>
  ({
    plan: { ...plan, state: 'open', ends_at: null, ...planChange },
    creator: { id: 'creator', name: '海野しお' },
    is_for_sale: true,
    is_of_age: true,
    is_member: false,
    membership: null,
    next_charge_at: '2027-01-09T15:00:00.000Z',
    charge_day: 10,
    opens: [],
    ...change,
  }) as unknown as PlanOrderReply

const membership = (change: Partial<RunningMembership>): RunningMembership => ({
  id: 'membership',
  state: 'active',
  price: 1500,
  paid_until: '2027-01-09T15:00:00.000Z',
  next_charge_at: '2027-01-09T15:00:00.000Z',
  why: null,
  next: null,
  offered_price: null,
  is_processing: false,
  can_resume: false,
  card: 'register',
  card_expires: null,
  plan: other,
  ...change,
})

const cancelled = { state: 'cancelling', why: 'cancelled', can_resume: true } as const

test.each<[string, PlanOrderReply, string]>([
  ['an open plan is joined', order(), 'join'],
  [
    'a full plan whose place is kept for the person is continued',
    order(
      { returning: { id: 'membership', price: 500, until: '2027-01-24T00:00:00.000Z' } },
      { state: 'full' },
    ),
    'returning',
  ],
  ['a full plan is closed', order({}, { state: 'full' }), 'closed'],
  ['a creator without an identity check sells nothing', order({ is_for_sale: false }), 'not_for_sale'],
  ['a person who is too young joins nothing', order({ is_of_age: false }), 'under_age'],
  ['the creator joins nothing', order({ creator: { id: 'me' }, is_for_sale: false }), 'own'],
  ['a member has joined, also without payments', order({ is_member: true }), 'joined'],
  [
    'a cancelled membership of this plan is taken up again',
    order({ is_member: true, membership: membership({ ...cancelled, plan }) }),
    'cancelled',
  ],
  [
    'a stop that cannot be taken back is still joined',
    order({ is_member: true, membership: membership({ state: 'cancelling', why: 'plan_closed', plan }) }),
    'joined',
  ],
  ['the member of another plan changes it', order({ membership: membership({}) }), 'change'],
  ['not to a plan that is closed', order({ membership: membership({}) }, { state: 'paused' }), 'closed'],
  ['not twice', order({ membership: membership({ next: plan }) }), 'changing'],
  ['not while it is cancelled', order({ membership: membership(cancelled) }), 'other_cancelled'],
  [
    'not when it ends for another reason',
    order({ membership: membership({ state: 'cancelling', why: 'plan_closed' }) }),
    'other_stopped',
  ],
  ['not while its payment fails', order({ membership: membership({ state: 'past_due' }) }), 'past_due'],
  [
    'a given plan is joined beside the membership of another one',
    order({ is_member: true, membership: membership({}) }),
    'joined',
  ],
])('%s', (_, reply, is) => {
  expect(planOrderState(reply, 'me').is).toBe(is)
})
