// Staff's tasks about money: grouped notices, pages, and tasks found right.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import type { OperatorTaskView } from '#contract/payments/operator-tasks.ts'
import { reconcile } from '#server/services/billing/reconcile.ts'
import { addTask } from '#server/store/payments/operator-tasks.ts'
import { joining, openClub, runJobs } from '#server/testing/memberships/club.ts'
import {
  behave,
  begun,
  notice,
  noticeFields,
  openShop,
  pay,
  rowsOf,
  type Shop,
} from '#server/testing/payments/shop.ts'
import { admin } from '#server/testing/people/identity.ts'
import { call, errorOf, type Member } from '#server/testing/people/members.ts'
import { onHosted, openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000

let world: World
let shop: Shop
let operator: Member
beforeAll(async () => {
  world = await openWorld({ listen: true })
  operator = await admin(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  await rowsOf(world, 'delete from operator_tasks')
  await behave(world)
  shop = await openShop(world)
})

interface Page {
  tasks: OperatorTaskView[]
  next: string | null
  open_count: number
}
const read = async (query = ''): Promise<Page> =>
  (await call(world, operator, 'GET', `/admin/tasks${query}`)).json()
const open = async () => (await read()).tasks
const closed = async () => (await read('?state=closed')).tasks
const reasons = (tasks: readonly OperatorTaskView[]) => tasks.map((it) => `${it.kind} ${it.why}`.trim())

async function paid(): Promise<string> {
  const { id, fields } = await begun(world, shop.buyer, shop.postId)
  await pay(world, fields)
  return id
}
/** Joins a plan. @returns the membership's id */
async function member(): Promise<string> {
  const { fan, plan } = await openClub(world)
  const { id, fields } = await joining(world, fan, plan.id)
  await pay(world, fields)
  return id
}
const change = (paymentId: string, set: string) =>
  rowsOf(world, `update sandbox_charges set ${set} where payment_id = $1`, [paymentId])

test('forged notices are one task for each reason, with a count, their times and the newest of them', async () => {
  const started = world.clock.now
  const { id, fields } = await begun(world, shop.buyer, shop.postId)
  const gids = Array.from({ length: 30 }, () => newId())
  for (const gid of gids) {
    await notice(world, { ...noticeFields(fields, gid), auth_id: 'x'.repeat(43) })
    world.clock.now += 60_000
  }
  await notice(world, { ...noticeFields(fields), payment_id: newId() })
  const tasks = await open()
  expect(reasons(tasks).toSorted()).toEqual([
    'notice_mismatch refused:auth',
    'notice_mismatch refused:unknown',
  ])
  const group = tasks.find((it) => it.why === 'refused:auth')
  expect(group).toMatchObject({
    created_at: new Date(started).toISOString(),
    payment: { id },
    notices: { count: 30, last_at: new Date(started + 29 * 60_000).toISOString() },
  })
  expect(group?.notices?.newest.map((it) => it.charge_ref)).toEqual(gids.slice(-5).toReversed())
  const { length } = await rowsOf(world, 'select 1 from operator_tasks')
  expect(length).toBe(2)
})

test('a group of notices of different payments names none, and a closed one is followed by a new one', async () => {
  const one = await begun(world, shop.buyer, shop.postId)
  shop = await openShop(world)
  const other = await begun(world, shop.buyer, shop.postId)
  for (const { fields } of [one, other])
    await notice(world, { ...noticeFields(fields), session_id: 'x'.repeat(22) })
  const [group] = await open()
  expect(group).toMatchObject({ payment: null, notices: { count: 2 } })
  expect(group?.notices?.newest.map((it) => it.payment_id)).toEqual([other.id, one.id])
  await rowsOf(world, 'update operator_tasks set done_at = now()')
  await notice(world, { ...noticeFields(one.fields), session_id: 'y'.repeat(22) })
  expect((await open())[0]?.notices).toMatchObject({ count: 1 })
})

test('notices at the same time are one task, and those of earlier versions join it', async () => {
  const details = { why: 'refused:auth', provider: 'sandbox', chargeRef: 'earlier', notice: newId() }
  const provider = onHosted ? 'hosted-sandbox' : 'sandbox'
  for (let count = 0; count < 3; count++)
    await addTask(
      world.deps.db,
      { kind: 'notice_mismatch', paymentId: null, details: { ...details, provider } },
      world.clock.now,
    )
  const { fields } = await begun(world, shop.buyer, shop.postId)
  const forged = () => notice(world, { ...noticeFields(fields, newId()), auth_id: 'x'.repeat(43) })
  await Promise.all(Array.from({ length: 5 }, forged))
  expect((await open()).map((it) => it.notices?.count)).toEqual([8])
  expect((await closed()).map((it) => it.done_why)).toEqual(['grouped', 'grouped'])
})

test('what the next comparison finds right is closed by it, with its reason and time', async () => {
  const id = await paid()
  await change(id, 'amount = 501')
  await reconcile(world.deps)
  expect(reasons(await open())).toEqual(['difference amount'])
  await reconcile(world.deps)
  expect(reasons(await open())).toEqual(['difference amount'])
  await change(id, 'amount = 500')
  world.clock.now += 3600_000
  await reconcile(world.deps)
  expect(await open()).toEqual([])
  expect(await closed()).toMatchObject([
    { why: 'amount', done_why: 'found_right', done_at: new Date(world.clock.now).toISOString() },
  ])
  // It is wrong again.
  await change(id, 'amount = 501')
  await reconcile(world.deps)
  expect(reasons(await open())).toEqual(['difference amount'])
  await change(id, 'amount = 500')
})

test('a charge that the list has again is found right, and one that was returned there is not', async () => {
  const id = await paid()
  await change(id, `state = 'cancelled'`)
  world.clock.now += DAY + 1
  await reconcile(world.deps)
  expect(reasons(await open())).toContain('difference missing_there')
  await change(id, `state = 'refunded', refunded = amount`)
  await reconcile(world.deps)
  expect(reasons((await open()).filter((it) => it.payment?.id === id))).toEqual(['difference refunded_there'])
  expect((await closed()).find((it) => it.payment?.id === id)).toMatchObject({
    why: 'missing_there',
    done_why: 'found_right',
  })
  await change(id, `state = 'paid', refunded = 0`)
})

test('a difference that staff closed by hand is not reported again', async () => {
  const id = await paid()
  await change(id, 'amount = 501')
  await reconcile(world.deps)
  const [task] = await open()
  await rowsOf(world, `update operator_tasks set done_at = now(), done_why = 'by_hand' where id = $1`, [
    task?.id,
  ])
  await reconcile(world.deps)
  expect(await open()).toEqual([])
  await change(id, 'amount = 500')
})

test('a recurring charge whose amount the server has mended is found right by the next comparison', async () => {
  const id = await member()
  const listed = () => rowsOf(world, 'select amount from sandbox_recurring where payment_id = $1', [id])
  const differences = async () => reasons((await open()).filter((it) => it.payment?.id === id))
  await rowsOf(world, 'update sandbox_recurring set amount = 9999 where payment_id = $1', [id])
  await reconcile(world.deps)
  expect(await differences()).toEqual(['difference recurring_amount'])
  // Not before it is mended.
  await reconcile(world.deps)
  expect(await differences()).toContain('difference recurring_amount')
  await runJobs(world)
  expect(await listed()).toEqual([{ amount: 500 }])
  await reconcile(world.deps)
  expect(await differences()).toEqual([])
  expect((await closed()).filter((it) => it.why === 'recurring_amount')).toMatchObject([
    { done_why: 'found_right' },
  ])
})

test('a recurring charge that staff have changed in the panel is found right without closing its task', async () => {
  const id = await member()
  const [row] = await rowsOf<{ acid: string }>(world, 'select acid from memberships where id = $1', [id])
  await rowsOf(world, 'update memberships set charged_amount = 400 where id = $1', [id])
  await addTask(
    world.deps.db,
    { kind: 'change_amount', paymentId: id, details: { recurringRef: defined(row?.acid), amount: 500 } },
    world.clock.now,
  )
  await reconcile(world.deps)
  expect((await open()).filter((it) => it.payment?.id === id)).toEqual([])
  expect(await rowsOf(world, 'select charged_amount from memberships where id = $1', [id])).toEqual([
    { charged_amount: 500 },
  ])
})

test('open and closed tasks have pages, in their orders, with a count of all open ones', async () => {
  const { db } = world.deps
  const added: string[] = []
  for (let second = 0; second < 40; second++) {
    const details = { chargeRef: `g-${second}`, why: 'amount' }
    const at = world.clock.now + second * 1000
    const equal = Array.from({ length: 3 }, () =>
      addTask(db, { kind: 'difference', paymentId: null, details }, at),
    )
    added.push(...(await Promise.all(equal)).toSorted())
  }
  async function all(query: string): Promise<string[]> {
    const ids: string[] = []
    for (let cursor = ''; ;) {
      const page = await read(`?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect(page.tasks.length).toBeLessThanOrEqual(50)
      ids.push(...page.tasks.map((it) => it.id))
      if (page.next === null) return ids
      cursor = page.next
    }
  }
  expect((await read()).open_count).toBe(120)
  expect(await all('state=open')).toEqual(added)
  await rowsOf(
    world,
    `update operator_tasks set done_why = 'by_hand', done_at = created_at + interval '1 day' where details->>'gid' > 'g-2'`,
  )
  const done = await all('state=closed')
  const left = await all('state=open')
  expect([done.length + left.length, new Set([...done, ...left]).size]).toEqual([120, 120])
  expect((await read('?state=closed')).open_count).toBe(left.length)
  expect(added.indexOf(defined(done[0]))).toBeGreaterThan(added.indexOf(defined(done.at(-1))))
  const malformed = await call(world, operator, 'GET', '/admin/tasks?cursor=x')
  expect(errorOf(malformed)).toMatchObject({ code: 'invalid', fields: { cursor: 'malformed' } })
})
