// Memberships: what each event does, and random histories of charges.
import { describe, expect, test } from 'vitest'
import { createRandom } from '#contract/testing/random.ts'
import {
  canResume,
  EARLY_CHARGE_MS,
  LATE_NOTICE_MS,
  type Membership,
  type MembershipEvent,
  membershipStep,
  opensPlan,
  PAST_DUE_MS,
} from './membership.ts'

const DAY = 24 * 3600_000
const MONTH = 30 * DAY
const NOW = 1000 * DAY
const charge = (until: number, chargedAt = NOW, isRepeated = false): MembershipEvent => ({
  is: 'charged',
  chargedAt,
  until,
  isRepeated,
})
const active: Membership = { is: 'active', paidUntil: NOW + 10 * DAY }
const pastDue: Membership = { is: 'past_due', paidUntil: NOW - DAY }
const cancelling: Membership = {
  is: 'cancelling',
  since: NOW - DAY,
  paidUntil: NOW + 10 * DAY,
  why: 'cancelled',
}
const ended: Membership = { is: 'ended', at: NOW - DAY, why: 'not_paid' }
const cancelledBefore: Membership = { ...ended, why: 'cancelled' }

/** The step of an event at this moment, and whether its charge goes back. */
function step(it: Membership, event: MembershipEvent, now = NOW): [Membership, ...string[]] {
  const { membership, isSurplus } = membershipStep(it, event, now)
  return [membership, ...(isSurplus ? ['refund'] : [])]
}

describe('a charge', () => {
  test('makes a pending membership active', () => {
    expect(step({ is: 'pending' }, charge(NOW + MONTH))).toEqual([{ is: 'active', paidUntil: NOW + MONTH }])
  })
  test.each([active, pastDue])('of the next period extends one that is $is', (it) => {
    expect(step(it, charge(NOW + 40 * DAY))).toEqual([{ is: 'active', paidUntil: NOW + 40 * DAY }])
  })
  test.each([active, pastDue])('of an earlier period, reported late, changes nothing: $is', (it) => {
    expect(step(it, charge(NOW - 5 * DAY, NOW - 35 * DAY))).toEqual([it])
  })
  test('to the end of what is paid does not show that the renewal of one past due succeeded', () => {
    expect(step(pastDue, charge(pastDue.paidUntil))).toEqual([pastDue])
    const until = pastDue.paidUntil + 1
    expect(step(pastDue, charge(until))).toEqual([{ is: 'active', paidUntil: until }])
  })
  test.each([{ is: 'pending' } as const, active, pastDue, cancelling, ended])(
    'of a period that is paid already is refunded: $is',
    (it) => expect(step(it, charge(NOW + 40 * DAY, NOW, true))).toEqual([it, 'refund']),
  )
  test('before a cancellation, reported after it, extends the paid time', () => {
    expect(step(cancelling, charge(NOW + 40 * DAY, cancelling.since))).toEqual([
      { ...cancelling, paidUntil: NOW + 40 * DAY },
    ])
  })
  test('after a cancellation is refunded', () => {
    expect(step(cancelling, charge(NOW + 40 * DAY, cancelling.since + 1))).toEqual([cancelling, 'refund'])
  })
  test.each(['not_paid', 'payment_failed'] as const)(
    'reopens a membership that ended because it was not reported, to the end of its period: %s',
    (why) => {
      const until = NOW + 5 * DAY
      expect(step({ ...ended, why }, charge(until, ended.at))).toEqual([
        { is: 'cancelling', since: ended.at, paidUntil: until, why },
      ])
    },
  )
  test('made after the end of a membership is refunded', () => {
    expect(step(ended, charge(NOW + 5 * DAY, ended.at + 1))).toEqual([ended, 'refund'])
  })
  test.each([
    ['was cancelled', cancelledBefore, NOW + 5 * DAY],
    ['was refunded', { ...ended, why: 'refunded' } as const, NOW + 5 * DAY],
    ['was blocked', { ...ended, why: 'blocked' } as const, NOW + 5 * DAY],
    ['ended after that period', ended, ended.at],
  ])('of a membership that %s is refunded', (_, it, until) => {
    expect(step(it, charge(until, ended.at))).toEqual([it, 'refund'])
  })
})

describe('a failed renewal', () => {
  test('makes an active membership past due, which stays open', () => {
    const { paidUntil } = active
    const triedAt = paidUntil - EARLY_CHARGE_MS
    expect(step(active, { is: 'renewal_failed', triedAt })).toEqual([{ is: 'past_due', paidUntil }])
    expect(opensPlan(pastDue, NOW)).toBe(true)
  })
  test('of a period that was paid since changes nothing', () => {
    const triedAt = active.paidUntil - EARLY_CHARGE_MS - 1
    expect(step(active, { is: 'renewal_failed', triedAt })).toEqual([active])
  })
  test.each([pastDue, cancelling, ended, { is: 'pending' } as const])('changes nothing: $is', (it) => {
    expect(step(it, { is: 'renewal_failed', triedAt: NOW + 100 * DAY })).toEqual([it])
  })
})

describe('charges that the provider stopped', () => {
  const stopped = { is: 'charges_stopped', why: 'payment_failed' } as const
  test('end a membership whose period is over', () => {
    expect(step(pastDue, stopped)).toEqual([{ is: 'ended', at: NOW, why: 'payment_failed' }])
  })
  test('leave it open to the end of the paid period', () => {
    const { paidUntil } = active
    expect(step(active, stopped)).toEqual([
      { is: 'cancelling', since: NOW, paidUntil, why: 'payment_failed' },
    ])
  })
  test('end it at the very end of the paid period', () => {
    const { paidUntil } = active
    expect(step(active, stopped, paidUntil - 1)).toEqual([
      { is: 'cancelling', since: paidUntil - 1, paidUntil, why: 'payment_failed' },
    ])
    expect(step(active, stopped, paidUntil)).toEqual([{ is: 'ended', at: paidUntil, why: 'payment_failed' }])
  })
  test.each([cancelling, ended, { is: 'pending' } as const])('change nothing: $is', (it) => {
    expect(step(it, stopped)).toEqual([it])
  })
})

describe('a requested stop', () => {
  const stop = { is: 'stop_requested', why: 'plan_closed', openUntil: null } as const
  test('stops the charges, and the membership is open to the end of its period', () => {
    const { paidUntil } = active
    const next: Membership = { is: 'cancelling', since: NOW, paidUntil, why: 'plan_closed' }
    expect(step(active, stop)).toEqual([next])
    expect([opensPlan(next, paidUntil - 1), opensPlan(next, paidUntil)]).toEqual([true, false])
  })
  test.each([pastDue, { is: 'pending' } as const])('ends one without a paid period at once: $is', (it) => {
    expect(step(it, stop)).toEqual([{ is: 'ended', at: NOW, why: 'plan_closed' }])
  })
  test.each([cancelling, ended])('changes nothing once charges are stopped: $is', (it) => {
    expect(step(it, stop)).toEqual([it])
  })
  test('because the plan ends leaves it open to that end, unless it is past due', () => {
    const openUntil = active.paidUntil + 5 * DAY
    const paid = step(active, { ...stop, openUntil })[0]
    expect(paid).toEqual({ is: 'cancelling', since: NOW, paidUntil: openUntil, why: 'plan_closed' })
    expect(step(pastDue, { ...stop, openUntil })[0]).toMatchObject({ is: 'ended' })
    const before = step(active, { ...stop, openUntil: active.paidUntil - DAY })[0]
    expect(before).toMatchObject({ paidUntil: active.paidUntil })
  })
})

describe('a stop that is taken back', () => {
  const resume = { is: 'resume_requested' } as const
  test.each(['cancelled', 'member_left', 'creator_left'] as const)('goes on: %s', (why) => {
    const { paidUntil } = cancelling
    expect(step({ ...cancelling, why }, resume)).toEqual([{ is: 'active', paidUntil }])
  })
  test.each([
    { ...cancelling, why: 'payment_failed' } as const,
    { ...cancelling, why: 'plan_closed' } as const,
    { ...cancelling, paidUntil: NOW } as const,
    active,
    pastDue,
    ended,
    { is: 'pending' } as const,
  ])('changes nothing: $is $why', (it) => expect(step(it, resume)).toEqual([it]))
  test('is possible until the last moment that is paid', () => {
    const { paidUntil } = cancelling
    expect([canResume(cancelling, paidUntil - 1), canResume(cancelling, paidUntil)]).toEqual([true, false])
  })
})

describe('a revocation', () => {
  const revoked = { is: 'revoked', why: 'blocked' } as const
  const over = { is: 'ended', at: NOW, why: 'blocked' }
  test.each([active, pastDue, { is: 'pending' } as const])('ends the membership at once: $is', (it) => {
    expect(step(it, revoked)).toEqual([over])
  })
  test('of a cancelled membership stops nothing again', () =>
    expect(step(cancelling, revoked)).toEqual([over]))
  test('changes nothing after the end', () => expect(step(ended, revoked)).toEqual([ended]))
})

describe('as time passes', () => {
  const checked = { is: 'checked' } as const
  const { paidUntil } = active
  test('an active membership without a notice is past due after two days', () => {
    expect(step(active, checked, paidUntil + LATE_NOTICE_MS - 1)).toEqual([active])
    expect(step(active, checked, paidUntil + LATE_NOTICE_MS)).toEqual([{ is: 'past_due', paidUntil }])
  })
  test('one that is past due ends after fourteen days', () => {
    const end = pastDue.paidUntil + PAST_DUE_MS
    expect(step(pastDue, checked, end - 1)).toEqual([pastDue])
    expect(step(pastDue, checked, end)).toEqual([{ is: 'ended', at: end, why: 'not_paid' }])
  })
  test('a cancelled one ends with its period', () => {
    expect(step(cancelling, checked, cancelling.paidUntil - 1)).toEqual([cancelling])
    const end = { is: 'ended', at: cancelling.paidUntil, why: 'cancelled' }
    expect(step(cancelling, checked, cancelling.paidUntil)).toEqual([end])
    expect(step(cancelling, checked, cancelling.paidUntil + 5 * DAY)).toEqual([end])
  })
  test.each([{ is: 'pending' } as const, ended])('nothing else changes: $is', (it) => {
    expect(step(it, checked, NOW + 1000 * DAY)).toEqual([it])
  })
})

describe('the posts of a plan', () => {
  const since = NOW - DAY
  test.each<[name: string, it: Membership, isOpen: boolean]>([
    ['active', active, true],
    ['active, its renewal not reported yet', { is: 'active', paidUntil: since }, true],
    ['past due', pastDue, true],
    ['cancelled, in the last moment that is paid', { ...cancelling, paidUntil: NOW + 1 }, true],
    ['cancelled, at the end of what is paid', { ...cancelling, paidUntil: NOW }, false],
    ['not charged yet', { is: 'pending' }, false],
    ['ended', ended, false],
  ])('for a membership that is %s are open or not', (_, it, isOpen) => {
    expect(opensPlan(it, NOW)).toBe(isOpen)
  })
})

/** What is wrong after an event of a history; empty if nothing is. */
function violations(
  before: ReadonlySet<number>,
  { event, membership, isSurplus, now }: HistoryStep,
  isRevoked: boolean,
): string[] {
  const paid = new Set(before)
  if (event.is === 'charged' && !isSurplus) paid.add(event.until)
  const isOpen = opensPlan(membership, now)
  const mustBeOpen = paid.size > 0 && now < Math.max(...paid) && membership.is !== 'ended' && !isRevoked
  return [
    ...(event.is === 'charged' && before.has(event.until) && !isSurplus ? ['a period was paid twice'] : []),
    ...(isOpen && paid.size === 0 ? ['open without a charge'] : []),
    ...(mustBeOpen && !isOpen ? ['a paid period is closed'] : []),
  ]
}

interface HistoryStep {
  readonly event: MembershipEvent
  readonly membership: Membership
  readonly isSurplus: boolean
  readonly now: number
}

test('in any history each period is paid by one charge, access needs one, and a paid period is open unless revoked', () => {
  const { pick, between, chance } = createRandom(11)
  const found: string[] = []
  for (let seed = 0; seed < 3000; seed++) {
    let it: Membership = { is: 'pending' }
    let now = NOW
    let isRevoked = false
    const paidPeriods = new Set<number>()
    for (let n = between(1, 25); n > 0; n--) {
      now += between(0, 20) * DAY
      const until = NOW + between(1, 12) * MONTH
      const isRepeated = paidPeriods.has(until)
      const event = pick<MembershipEvent>([
        charge(until, now - between(0, 5) * DAY, isRepeated),
        charge(until, now, isRepeated),
        { is: 'renewal_failed', triedAt: now - between(0, 5) * DAY },
        { is: 'checked' },
        { is: 'charges_stopped', why: 'payment_failed' },
        ...(chance(0.3) ? [{ is: 'stop_requested', why: 'cancelled', openUntil: null } as const] : []),
        ...(chance(0.3) ? [{ is: 'resume_requested' } as const] : []),
        ...(chance(0.1) ? [{ is: 'revoked', why: 'blocked' } as const] : []),
      ])
      const { membership, isSurplus } = membershipStep(it, event, now)
      isRevoked ||= event.is === 'revoked' && membership.is === 'ended'
      found.push(...violations(paidPeriods, { event, membership, isSurplus, now }, isRevoked))
      if (event.is === 'charged' && !isSurplus) paidPeriods.add(event.until)
      it = membership
    }
  }
  expect(found).toEqual([])
})
