// Operations about money with the same provider, without new sales, without it, with another.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { reconcile } from '#server/services/billing/reconcile.ts'
import { refund } from '#server/testing/adjustments/adjustments.ts'
import {
  addedPlan,
  beginJoining,
  cancel,
  changeNext,
  charge,
  type Club,
  joined,
  type Joining,
  joining,
  openClub,
  runJobs,
} from '#server/testing/memberships/club.ts'
import {
  accessOf,
  begin,
  begun,
  notice,
  noticeFields,
  pricedPost,
  rowsOf,
} from '#server/testing/payments/shop.ts'
import { reopened } from '#server/testing/payments/reopened.ts'
import { operator } from '#server/testing/payouts/payouts.ts'
import { deleteDue, leave } from '#server/testing/people/leaving.ts'
import { call, type Member, type Reply, signUp } from '#server/testing/people/members.ts'
import { openWorld, usualPayments, type World } from '#server/testing/world.ts'

const linkForm = { ...usualPayments, url: 'https://pay.example/form', provider: 'link-form' } as const

/** How the operator has set the payments since the rows were made by the sandbox. */
const states = {
  'with the same provider': { payments: usualPayments, isOpen: true, begins: undefined },
  'without new sales': {
    payments: { ...usualPayments, isSelling: false },
    isOpen: true,
    begins: 'sales_paused',
  },
  'with the provider gone': {
    payments: { ...usualPayments, provider: 'off' },
    isOpen: false,
    begins: 'sales_paused',
  },
  'with another provider': { payments: linkForm, isOpen: false, begins: undefined },
} as const
type State = keyof typeof states

const codeOf = (reply: Reply): string | undefined => reply.json().error?.code

/** The server before, which took the payments, the one of now, and what was bought and joined before. */
let [before, now]: World[] = []
let by: Member
let club: Club & { readonly membership: Joining; readonly postId: string; readonly paymentId: string }

async function open(name: State): Promise<void> {
  before = await openWorld()
  now = await reopened(before, states[name].payments, states[name].isOpen)
}
async function close(): Promise<void> {
  await now?.app.close()
  await before?.close()
}

/** A fan who joined a plan and bought a post by the provider of before. @returns the server before, and that of now */
async function opened(): Promise<readonly [World, World]> {
  if (!before || !now) throw new Error('the servers did not start')
  await runJobs(now)
  await rowsOf(before, 'update operator_tasks set done_at = now() where done_at is null')
  by = await operator(before)
  const made = await openClub(before)
  const postId = await pricedPost(before, made.creator)
  const payment = await begun(before, made.fan, postId)
  await notice(before, noticeFields(payment.fields))
  const membership = await joined(before, made.fan, made.plan.id)
  club = { ...made, membership, postId, paymentId: payment.id }
  await runJobs(before)
  return [before, now]
}

/** The open tasks after the jobs, each with the provider that it names. */
async function tasks(world: World): Promise<string[]> {
  await runJobs(world)
  const { tasks: left } = (await call(world, by, 'GET', '/admin/tasks')).json()
  const named = left.map(
    (it: { kind: string; provider: { name: string } }) => `${it.kind} ${it.provider.name}`,
  )
  return named.toSorted()
}

const membershipState = async (world: World) =>
  (
    await rowsOf<{ state: string }>(world, 'select state from memberships where id = $1', [
      club.membership.id,
    ])
  )[0]?.state

/** Refunds that the provider has not returned, in yen. */
async function owed(world: World): Promise<number> {
  const rows = await rowsOf<{ amount: number }>(
    world,
    `select r.amount from refunds r where r.payment_id = any($1)
     and not exists (select from ledger_entries e where e.cause = 'refund_paid' and e.refund_id = r.id)`,
    [[club.paymentId, club.membership.id]],
  )
  return rows.reduce((sum, it) => sum + it.amount, 0)
}

describe.each(Object.keys(states) as State[])('%s', (name) => {
  const { isOpen } = states[name]
  beforeAll(() => open(name))
  afterAll(close)

  /** What is left to the operator where the provider cannot do it. */
  const left = (...kinds: string[]) =>
    isOpen ? [] : kinds.map((kind) => `${kind} ${usualPayments.provider}`).toSorted()

  test('an admin refunds a purchase', async () => {
    const [, world] = await opened()
    const reply = await refund(world, by, club.paymentId, { amount: 500, left: 500 })
    expect([reply.statusCode, reply.json().done]).toEqual([200, true])
    expect(await tasks(world)).toEqual(left('refund'))
    expect([await accessOf(world, club.fan, club.postId), await owed(world)]).toEqual([
      'purchase',
      isOpen ? 0 : 500,
    ])
  })

  test('a creator blocks a member, whose month is refunded and whose charges stop', async () => {
    const [, world] = await opened()
    expect((await call(world, club.creator, 'PUT', `/blocks/${club.fan.id}`)).statusCode).toBe(200)
    expect(await tasks(world)).toEqual(left('refund', 'stop_charges'))
    expect([await membershipState(world), await owed(world)]).toEqual(['ended', isOpen ? 0 : 500])
  })

  test('a member cancels', async () => {
    const [, world] = await opened()
    expect((await cancel(world, club.fan, club.membership.id)).statusCode).toBe(200)
    expect([await tasks(world), await membershipState(world)]).toEqual([left('stop_charges'), 'cancelling'])
  })

  test('a member changes to another plan from the next charge on', async () => {
    const [, world] = await opened()
    const dearer = await addedPlan(world, club.creator, { name: '昼の部屋', price: 800 })
    const asked = { plan_id: dearer.id, price: 800 }
    expect((await changeNext(world, club.fan, club.membership.id, asked)).statusCode).toBe(200)
    expect(await tasks(world)).toEqual(left('change_amount'))
  })

  test('the account of a creator is erased when it is due', async () => {
    const [, world] = await opened()
    expect((await leave(world, club.creator)).statusCode).toBe(200)
    world.clock.now += LEAVING_MS + 1
    await deleteDue(world)
    expect(await tasks(world)).toEqual(left('refund', 'stop_charges'))
    const [row] = await rowsOf<{ name: string; deleted: boolean }>(
      world,
      'select name, deleted_at is not null as deleted from users where id = $1',
      [club.creator.id],
    )
    expect([row, await membershipState(world)]).toEqual([
      { name: '退会したユーザー', deleted: true },
      'ended',
    ])
  })
})

describe.each(Object.keys(states) as State[])('%s', (name) => {
  const { isOpen, begins } = states[name]
  beforeAll(() => open(name))
  afterAll(close)

  test('a notice of a further month and one of a form that was open are taken while its provider is open', async () => {
    const [earlier, world] = await opened()
    const other = await signUp(earlier)
    const form = await joining(earlier, other, club.plan.id)
    // Its provider sends it to the address of before.
    const sent = { ...earlier, app: world.app }
    earlier.clock.now += 31 * 24 * 3600_000
    const replies = [await charge(sent, club.membership), await charge(sent, form)]
    const ids = [club.membership.id, form.id]
    const months = await rowsOf<{ id: string }>(
      world,
      `select id from payments where state = 'paid' and membership_id = any($1)`,
      [ids],
    )
    expect(months.length).toBe(isOpen ? 3 : 1)
    if (isOpen) expect(replies.map((it) => it.statusCode)).toEqual([200, 200])
  })

  test('a purchase and a joining begin at the provider of new sales, or are refused with a reason', async () => {
    const [, world] = await opened()
    const buyer = await signUp(world)
    const replies = [await begin(world, buyer, club.postId), await beginJoining(world, buyer, club.plan.id)]
    expect(replies.map(codeOf)).toEqual([begins, begins])
  })

  test('a form that was begun does not lead to the provider while nothing new is sold', async () => {
    const [earlier, world] = await opened()
    const buyer = await signUp(earlier)
    const { id } = await begun(earlier, buyer, club.postId)
    expect(codeOf(await begin(world, buyer, club.postId, { payment_id: id }))).toBe(begins)
  })

  test('pages, health and the machine page say what is sold, and that a provider is gone', async () => {
    const [, world] = await opened()
    const { payments } = (await call(world, null, 'GET', '/operator')).json()
    const { sales } = (await call(world, null, 'GET', '/health')).json()
    await rowsOf(world, "update users set role = 'admin' where id = $1", [club.creator.id])
    const { checks } = (await call(world, club.creator, 'GET', '/admin/machine')).json()
    const { reason, detail } = checks.find((it: { name: string }) => it.name === 'payments')
    expect([payments?.is_selling ?? false, sales]).toEqual(begins ? [false, 'paused'] : [true, 'open'])
    expect(isOpen ? reason : [reason, detail]).toEqual(
      isOpen ? (begins ?? 'practice') : ['provider_gone', usualPayments.provider],
    )
  })

  test('the charges of open providers are compared, and none is missing at one that is gone', async () => {
    const [, world] = await opened()
    const result = await reconcile(world.deps)
    expect(result === undefined).toBe(!isOpen)
  })
})
