// Recurring charges of the provider's list that are unknown, foreign, or of an unreported card.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { reconcile } from '#server/services/billing/reconcile.ts'
import { addTask, listOpenTasks, type OperatorTask } from '#server/store/payments/operator-tasks.ts'
import {
  changingCard,
  type Club,
  joining,
  type Joining,
  membershipOf,
  openClub,
  runJobs,
} from '#server/testing/memberships/club.ts'
import { behave, pay, rowsOf } from '#server/testing/payments/shop.ts'
import { onHosted, openWorld, type World } from '#server/testing/world.ts'

const provider = onHosted ? 'hosted-sandbox' : 'sandbox'

let world: World
let club: Club
let paid: Joining
beforeAll(async () => {
  world = await openWorld({ listen: true })
})
afterAll(() => world.close())
beforeEach(async () => {
  await rowsOf(world, 'delete from operator_tasks')
  await rowsOf(world, 'delete from sandbox_recurring')
  await behave(world)
  club = await openClub(world)
  paid = await joining(world, club.fan, club.plan.id)
  await pay(world, paid.fields)
})

const open = (): Promise<OperatorTask[]> => listOpenTasks(world.deps.db, 100)
const reasons = async () => (await open()).map((it) => `${it.kind} ${it.details.why ?? ''}`.trim()).toSorted()
const closed = () =>
  rowsOf(world, 'select kind, done_why from operator_tasks where done_at is not null order by kind')
const listed = async (paymentId: string) =>
  defined(
    (
      await rowsOf<{ acid: string; state: string }>(
        world,
        'select acid, state from sandbox_recurring where payment_id = $1',
        [paymentId],
      )
    )[0],
  )
const change = (paymentId: string, set: string, ...more: unknown[]) =>
  rowsOf(world, `update sandbox_recurring set ${set} where payment_id = $1`, [paymentId, ...more])
const setMembership = (set: string) => rowsOf(world, `update memberships set ${set} where id = $1`, [paid.id])

test('one that is not that of its membership is a task, which is right once it has stopped', async () => {
  const { acid } = await listed(paid.id)
  await setMembership(`acid = '${newId()}'`)
  await reconcile(world.deps)
  expect(await open()).toMatchObject([
    {
      kind: 'difference',
      paymentId: paid.id,
      details: { why: 'recurring_unknown', provider, chargeRef: acid, amount: 500 },
    },
  ])
  await addTask(
    world.deps.db,
    { kind: 'stop_charges', paymentId: paid.id, details: { recurringRef: acid, amount: 0 } },
    world.clock.now,
  )
  // Not before it has stopped.
  await reconcile(world.deps)
  expect(await reasons()).toEqual(['difference recurring_unknown', 'stop_charges'])
  await change(paid.id, "state = 'stopped'")
  await reconcile(world.deps)
  expect([await reasons(), await closed()]).toEqual([
    [],
    [
      { kind: 'difference', done_why: 'found_right' },
      { kind: 'stop_charges', done_why: 'found_right' },
    ],
  ])
})

test('one that has stopped and is of no membership is no difference, and ends the task about its amount', async () => {
  await change(paid.id, 'amount = 9999')
  await reconcile(world.deps)
  expect(await reasons()).toContain('difference recurring_amount')
  await setMembership(`acid = '${newId()}'`)
  await change(paid.id, "state = 'stopped'")
  await reconcile(world.deps)
  expect(await reasons()).not.toContain('difference recurring_amount')
  expect(await reasons()).not.toContain('difference recurring_unknown')
})

test('one that is not that of its membership is stopped', async () => {
  await setMembership(`acid = '${newId()}'`)
  await reconcile(world.deps)
  await runJobs(world)
  expect(await listed(paid.id)).toMatchObject({ state: 'stopped' })
})

test('one of a payment that is not recorded is a task without a payment', async () => {
  await change(paid.id, 'payment_id = $2', newId())
  await reconcile(world.deps)
  expect(await open()).toMatchObject([{ paymentId: null, details: { why: 'recurring_unknown' } }])
})

test('one that another provider has charged is not that of the membership', async () => {
  await setMembership("provider = 'another'")
  await reconcile(world.deps)
  expect(await reasons()).toEqual(['difference recurring_unknown'])
})

test('one that turns out to be that of its membership is right', async () => {
  const { acid } = await listed(paid.id)
  await setMembership(`acid = '${newId()}'`)
  await reconcile(world.deps)
  await rowsOf(world, 'update memberships set acid = $2 where id = $1', [paid.id, acid])
  await reconcile(world.deps)
  expect([await reasons(), await closed()]).toEqual([[], [{ kind: 'difference', done_why: 'found_right' }]])
})

test('that of a form whose notice of the card was lost is the card of the membership', async () => {
  const form = await changingCard(world, club.fan, paid.id)
  await behave(world, { lose: true })
  await pay(world, form.fields)
  expect(await reconcile(world.deps)).toMatchObject({ applied: 1, differences: 0 })
  const rows = await rowsOf<{ acid: string }>(world, 'select acid from memberships where id = $1', [paid.id])
  expect(rows).toEqual([{ acid: (await listed(form.id)).acid }])
})

test.each([
  ['after its membership has ended', 'memberships', "state = 'ended'"],
  ['of another provider', 'payments', "provider = 'another'"],
] as const)('that of a form %s registers no card', async (_, table, set) => {
  const form = await changingCard(world, club.fan, paid.id)
  await behave(world, { lose: true })
  await pay(world, form.fields)
  const id = table === 'payments' ? form.id : paid.id
  await rowsOf(world, `update ${table} set ${set} where id = $1`, [id])
  await reconcile(world.deps)
  expect(await reasons()).toContain('difference recurring_unknown')
})

test('one that has stopped registers no card', async () => {
  const form = await changingCard(world, club.fan, paid.id)
  await behave(world, { lose: true })
  await pay(world, form.fields)
  await change(form.id, "state = 'stopped'")
  expect(await reconcile(world.deps)).toMatchObject({ applied: 0, differences: 0 })
  expect(await membershipOf(world, club.fan)).toMatchObject({ state: 'active' })
})
