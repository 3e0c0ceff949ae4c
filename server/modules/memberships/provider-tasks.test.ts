// Changes of recurring charges that the link form leaves to the operator.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeTaskByHand } from '#server/services/billing/close-task.ts'
import { listOpenTasks } from '#server/store/payments/operator-tasks.ts'
import {
  addedPlan,
  cancel,
  changeNext,
  charge,
  type Club,
  joined,
  joining,
  membershipOf,
  openClub,
  resume,
  revokeChange,
  runJobs,
} from '#server/testing/memberships/club.ts'
import { noticeFields, rowsOf } from '#server/testing/payments/shop.ts'
import { notice } from '#server/testing/payments/shop.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, usualPayments, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000
const START = Date.parse('2026-12-10T03:00:00Z')
const JANUARY = Date.parse('2027-01-09T15:00:00Z')

let world: World
let club: Club
let admin: Member
beforeAll(async () => {
  const payments = {
    ...usualPayments,
    provider: 'link-form',
    url: 'https://pay.example/form',
    sendsCod: true,
  } as const
  world = await openWorld({ settings: { payments } })
  admin = await signUp(world)
  await rowsOf(world, "update users set role = 'admin' where id = $1", [admin.id])
})
afterAll(() => world.close())
beforeEach(async () => {
  world.clock.now = START
  await rowsOf(world, 'update operator_tasks set done_at = now() where done_at is null')
  club = await openClub(world)
})

const tasks = async () =>
  (await listOpenTasks(world.deps.db, 100)).map(({ kind, details, paymentId, dueAt }) => {
    return { kind, amount: details.amount, acid: details.recurringRef, paymentId, dueAt: dueAt.getTime() }
  })
const closeAll = async () => {
  for (const it of await listOpenTasks(world.deps.db, 100))
    await world.deps.transaction((unit) =>
      closeTaskByHand(world.deps, unit, it.id, { actorId: admin.id, ip: '' }),
    )
}
const isProcessing = async () => (await membershipOf(world, club.fan))?.is_processing

test('a cancellation is a task with a deadline before the next charge, and done when the operator says so', async () => {
  const it = await joined(world, club.fan, club.plan.id)
  world.clock.now = JANUARY - DAY
  await cancel(world, club.fan, it.id)
  await runJobs(world)
  await runJobs(world)
  expect(await tasks()).toEqual([
    { kind: 'stop_charges', amount: 0, acid: it.acid, paymentId: it.id, dueAt: JANUARY },
  ])
  expect(await isProcessing()).toBe(true)
  await closeAll()
  expect(await isProcessing()).toBe(false)
})

test('a cancellation that is taken back before the operator has acted closes the task', async () => {
  const it = await joined(world, club.fan, club.plan.id)
  await cancel(world, club.fan, it.id)
  await runJobs(world)
  await resume(world, club.fan, it.id, { price: 500 })
  await runJobs(world)
  expect([await tasks(), await isProcessing()]).toEqual([[], false])
})

test('one that is taken back afterwards is a task to resume the charges', async () => {
  const it = await joined(world, club.fan, club.plan.id)
  await cancel(world, club.fan, it.id)
  await runJobs(world)
  await closeAll()
  await resume(world, club.fan, it.id, { price: 500 })
  await runJobs(world)
  expect(await tasks()).toMatchObject([{ kind: 'resume_charges', amount: 500, acid: it.acid }])
})

test('a change is a task of the latest amount alone, and taking it back closes that', async () => {
  const { creator, fan, plan } = club
  const [dear, dearest] = [
    await addedPlan(world, creator, { price: 900 }),
    await addedPlan(world, creator, { price: 1500 }),
  ]
  const it = await joined(world, fan, plan.id)
  await changeNext(world, fan, it.id, { plan_id: dear.id, price: 900 })
  await runJobs(world)
  await changeNext(world, fan, it.id, { plan_id: dearest.id, price: 1500 })
  await runJobs(world)
  expect(await tasks()).toMatchObject([{ kind: 'change_amount', amount: 1500 }])
  await revokeChange(world, fan, it.id)
  await runJobs(world)
  expect(await tasks()).toEqual([])
})

test('a form that was paid twice leaves two tasks: the refund, and the stop of its second recurring charge', async () => {
  const it = await joined(world, club.fan, club.plan.id)
  const second = { ...it, acid: 'acid-2' }
  await charge(world, second)
  await runJobs(world)
  const all = await tasks()
  expect(all.map((one) => [one.kind, one.acid])).toEqual([
    ['stop_charges', 'acid-2'],
    ['refund_surplus', undefined],
  ])
  await closeAll()
  expect(await membershipOf(world, club.fan)).toMatchObject({ state: 'active', is_processing: false })
})

test('a stop notice has nothing but `cod`, and a failed one of another shop’s payment changes nothing', async () => {
  const it = await joined(world, club.fan, club.plan.id)
  expect(it.fields['cod']).toBe(it.id)
  await notice(world, { rst: '2', cod: (await joining(world, club.fan, club.plan.id)).id })
  expect(await membershipOf(world, club.fan)).toMatchObject({ state: 'active' })
  world.clock.now = JANUARY + DAY
  await notice(world, { rst: '2', cod: it.id })
  expect(await membershipOf(world, club.fan)).toBeUndefined()
})

test('admins see the number of the recurring charge', async () => {
  const it = await joined(world, club.fan, club.plan.id)
  await cancel(world, club.fan, it.id)
  await runJobs(world)
  const reply = (await call(world, admin, 'GET', '/admin/tasks')).json()
  expect(reply.tasks).toMatchObject([
    {
      kind: 'stop_charges',
      recurring_ref: it.acid,
      charge_ref: '',
      payment: { plan_id: club.plan.id, post_id: null },
    },
  ])
})

test('a notice of a charge with `cod` of another payment is refused', async () => {
  const it = await joining(world, club.fan, club.plan.id)
  await notice(world, { ...noticeFields(it.fields), acid: it.acid, cod: 'other' })
  expect(await membershipOf(world, club.fan)).toBeUndefined()
})
