// The sandbox charges plans each month, fails, stops, and lists all of it for reconciliation.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { sweepMemberships } from '#server/services/memberships/stop.ts'
import { reconcile } from '#server/services/billing/reconcile.ts'
import { listSandboxRecurring } from '#server/store/payments/sandbox.ts'
import { listOpenTasks } from '#server/store/payments/operator-tasks.ts'
import {
  cancel,
  changingCard,
  type Club,
  joining,
  type Joining,
  membershipOf,
  openClub,
  resume,
  runJobs,
} from '#server/testing/memberships/club.ts'
import { behave, ledgerOf, openSandbox, pay, postForm, sandboxPage } from '#server/testing/payments/shop.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, type Reply } from '#server/testing/people/members.ts'
import { onHosted, openWorld, type World } from '#server/testing/world.ts'
import { chargeDue } from './recurring.ts'

/** It can be charged to the end of the next month. */
const EXPIRING_CARD = '4000 0000 0000 0101'
const DAY = 24 * 3600_000
const HOUR = 3600_000
const START = Date.parse('2026-12-10T03:00:00Z')
const JANUARY = Date.parse('2027-01-09T15:00:00Z')
const iso = (at: number) => new Date(at).toISOString()

let world: World
let club: Club
let paid: Joining
beforeAll(async () => {
  world = await openWorld({ listen: true })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.clock.now = START
  await behave(world)
  club = await openClub(world)
  paid = await joining(world, club.fan, club.plan.id)
  await pay(world, paid.fields)
})

const own = () => membershipOf(world, club.fan)
const recurring = async () =>
  (await listSandboxRecurring(world.deps.db, onHosted ? 'hosted-sandbox' : 'sandbox')).find(
    (it) => it.paymentId === paid.id,
  )
const happen = (what: string): Promise<Reply> =>
  call(world, null, 'POST', '/payment-sandbox/control/recurring', { payment_id: paid.id, do: what })
const atMonth = async (at: number) => {
  world.clock.now = at
  await chargeDue(world.deps)
  await runJobs(world)
}

test('the form of a plan names the day of the further charges, and paying it joins', async () => {
  const page = await sandboxPage(
    world,
    (await joining(world, (await openClub(world)).fan, club.plan.id)).fields,
  )
  expect(page.body).toContain('毎月10日に同じ金額を自動でお支払い')
  expect(await own()).toMatchObject({ state: 'active', paid_until: iso(JANUARY) })
  expect(await recurring()).toMatchObject({ state: 'running', amount: 500, nextAt: new Date(JANUARY) })
})

// The hosted sandbox gets no form.
test.skipIf(onHosted).each([
  ['ac1', '29'],
  ['ac1', '0'],
  ['actp', '3'],
  ['actx', '1'],
  ['acam', '0'],
])('a form with another %s is refused: %s', async (name, value) => {
  expect((await postForm(world, '', { ...paid.fields, [name]: value })).statusCode).toBe(422)
})

test.skipIf(onHosted)('a form that lacks a field of the recurring charge is refused', async () => {
  const { ac1: _, ...fields } = paid.fields
  expect(await openSandbox(world, fields)).toBe('')
})

test('each month is charged once when it is due', async () => {
  await atMonth(JANUARY - 1)
  expect(await own()).toMatchObject({ paid_until: iso(JANUARY) })
  await atMonth(JANUARY)
  await atMonth(JANUARY + HOUR)
  expect(await own()).toMatchObject({ paid_until: '2027-02-09T15:00:00.000Z' })
})

test('failing months are tried three times, at intervals of three days, and then stopped', async () => {
  await behave(world, { failRenewals: true })
  await atMonth(JANUARY)
  expect(await own()).toMatchObject({ state: 'past_due' })
  await atMonth(JANUARY + 2 * DAY)
  expect(await recurring()).toMatchObject({ failures: 1, state: 'running' })
  await atMonth(JANUARY + 3 * DAY)
  await atMonth(JANUARY + 6 * DAY)
  expect([await recurring(), await own()]).toMatchObject([{ failures: 3, state: 'stopped' }, undefined])
})

test('a cancelled membership is stopped there, and charged again at its day once it is taken up', async () => {
  await cancel(world, club.fan, paid.id)
  await runJobs(world)
  expect(await recurring()).toMatchObject({ state: 'stopped' })
  await resume(world, club.fan, paid.id, { price: 500 })
  await runJobs(world)
  expect(await recurring()).toMatchObject({ state: 'running', nextAt: new Date(JANUARY) })
  await atMonth(JANUARY)
  expect(await own()).toMatchObject({ state: 'active', paid_until: '2027-02-09T15:00:00.000Z' })
})

test.each([
  ['stop_by_provider', 'payment_failed'],
  ['stop_by_buyer', 'cancelled'],
])('%s ends the charges, and the month stays open', async (what, why) => {
  await happen(what)
  expect(await own()).toMatchObject({ state: 'cancelling', why })
})

test('a month can be charged and fail at once, and an unknown payment has no recurring charge', async () => {
  world.clock.now = JANUARY
  await happen('fail')
  expect(await own()).toMatchObject({ state: 'past_due' })
  await happen('charge')
  expect(await own()).toMatchObject({ state: 'active' })
  const reply = await call(world, null, 'POST', '/payment-sandbox/control/recurring', {
    payment_id: club.plan.id,
    do: 'fail',
  })
  expect(reply.statusCode).toBe(404)
})

test('a silent stop, and a month whose notice was lost, are found by the comparison of the night', async () => {
  await behave(world, { lose: true })
  await atMonth(JANUARY)
  expect(await own()).toMatchObject({ paid_until: iso(JANUARY) })
  world.clock.now = JANUARY + DAY
  expect(await reconcile(world.deps)).toMatchObject({ applied: 1, differences: 0 })
  expect(await own()).toMatchObject({ state: 'active', paid_until: '2027-02-09T15:00:00.000Z' })
  await happen('stop_silently')
  expect(await reconcile(world.deps)).toMatchObject({ applied: 1, differences: 0 })
  expect(await own()).toMatchObject({ state: 'cancelling', why: 'cancelled' })
  expect(await reconcile(world.deps)).toMatchObject({ applied: 0, differences: 0 })
})

test('a recurring charge of no membership is stopped, and a wrong amount is set right, both with a task', async () => {
  const other = await joining(world, (await openClub(world)).fan, club.plan.id)
  await behave(world, { lose: true })
  await pay(world, other.fields)
  await call(world, club.creator, 'POST', `/plans/${club.plan.id}/close`, { ends_on: '2027-02-20' })
  await reconcile(world.deps)
  await runJobs(world)
  const all = await listSandboxRecurring(world.deps.db, onHosted ? 'hosted-sandbox' : 'sandbox')
  expect(all.find((it) => it.paymentId === other.id)).toMatchObject({ state: 'stopped' })
  expect((await ledgerOf(world))['refunds']).toBeUndefined()
  const mine = await recurring()
  await world.deps.paymentProviders.current?.changeAmount?.(defined(mine?.recurringRef), 9999)
  await reconcile(world.deps)
  await runJobs(world)
  expect(await recurring()).toMatchObject({ amount: 500 })
  const reasons = (await listOpenTasks(world.deps.db, 100)).map((it) => it.details.why)
  expect(reasons).toContain('recurring_amount')
})

test('a form that changes a card takes nothing, says so, and its card is charged from the next month on', async () => {
  const form = await changingCard(world, club.fan, paid.id)
  const page = await sandboxPage(world, form.fields)
  expect(page.body).toContain('（今回の請求はありません）')
  expect(page.body).toContain('毎月10日に500円を自動でお支払い')
  const before = await ledgerOf(world)
  await pay(world, form.fields)
  await runJobs(world)
  expect(await ledgerOf(world)).toEqual(before)
  expect(await recurring()).toMatchObject({ state: 'stopped' })
  await atMonth(JANUARY)
  expect(await own()).toMatchObject({ id: paid.id, state: 'active', paid_until: '2027-02-09T15:00:00.000Z' })
  expect(await reconcile(world.deps)).toMatchObject({ applied: 0, differences: 0 })
})

test('a card that expires is told from its last month on, as a notice or the list has it, and fails after it', async () => {
  const form = await changingCard(world, club.fan, paid.id)
  await pay(world, form.fields, EXPIRING_CARD)
  await runJobs(world)
  await reconcile(world.deps)
  expect(await own()).toMatchObject({ card_expires: null })
  await atMonth(JANUARY)
  await sweepMemberships(world.deps)
  expect(await own()).toMatchObject({ state: 'active', card_expires: '2027-01' })
  expect((await emailsTo(world, club.fan.email)).at(-1)?.is).toBe('membership_card_expires')
  await atMonth(Date.parse('2027-02-09T15:00:00.000Z'))
  expect(await own()).toMatchObject({ state: 'past_due' })
})
