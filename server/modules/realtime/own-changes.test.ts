// Live events of own money and rights: which act publishes them, and to whom.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { personChannel } from '#contract/realtime/channels.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { addedPlan, cancel, joined } from '#server/testing/memberships/club.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { pricedPost } from '#server/testing/payments/shop.ts'
import { inTokyo } from '#server/testing/payments/sold.ts'
import {
  approve,
  makeFile,
  operator,
  requested,
  request,
  settle,
  soldOnce,
} from '#server/testing/payouts/payouts.ts'
import { admin, approveSeen, submitted } from '#server/testing/people/identity.ts'
import { call, identify, type Member, signUp } from '#server/testing/people/members.ts'
import { recordingRealtime } from '#server/testing/recording-realtime.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const realtime = recordingRealtime()
let world: World
beforeAll(async () => {
  world = await openWorld({ parts: { realtime } })
  world.clock.now = inTokyo('2026-11-01T12:00')
})
afterAll(() => world.close())
beforeEach(() => {
  realtime.published.length = 0
})

/** Published events of money and rights since the last call, each once. */
function told(): unknown[] {
  const events = realtime.published
    .splice(0)
    .filter(({ event }) => event === 'sales.changed' || event === 'rights.changed')
    .map(({ channel, event, data }) => JSON.stringify([channel, event, data]))
  return [...new Set(events)].map((it) => JSON.parse(it) as unknown)
}
const salesOf = ({ id }: Member) => [personChannel(id), 'sales.changed', {}]
const rightsOf = ({ id }: Member) => [personChannel(id), 'rights.changed', {}]

test('each step of an identity check is published to its person alone, and a repeated one is not', async () => {
  const [person, staff] = [await signUp(world), await admin(world)]
  const check = await submitted(world, person)
  told()
  const act = (action: string) => call(world, staff, 'POST', `/admin/identity/checks/${check}/${action}`)
  for (const step of ['take', 'return', 'take'])
    expect([step, (await act(step)).statusCode, told()]).toEqual([step, 200, [rightsOf(person)]])
  expect((await approveSeen(world, staff, check)).statusCode).toBe(200)
  expect(told()).toEqual([rightsOf(person)])
  expect((await approveSeen(world, staff, check)).statusCode, 'repeated').toBe(200)
  expect(told()).toEqual([])
})

test('a role that is given or taken is published to its person alone, and the same role is not', async () => {
  const [person, staff] = [await signUp(world), await operator(world)]
  const set = (role: string) => call(world, staff, 'POST', '/admin/staff', { person: person.id, role })
  for (const role of ['moderator', 'member']) {
    expect([role, (await set(role)).statusCode, told()]).toEqual([role, 200, [rightsOf(person)]])
    expect([role, (await set(role)).statusCode, told()]).toEqual([role, 200, []])
  }
})

test('a sale and its refund are published to the seller, not to the buyer', async () => {
  const [creator, buyer] = [await identify(world, await signUp(world)), await signUp(world)]
  const post = await pricedPost(world, creator, 500)
  told()
  const payment = await buy(world, buyer, post)
  expect(told()).toEqual([salesOf(creator)])
  expect(await refundPayment(world.deps, payment, { actorId: creator.id, ip: '' })).toBe(true)
  expect(told()).toEqual([salesOf(creator)])
  expect(await refundPayment(world.deps, payment, { actorId: creator.id, ip: '' })).toBe(false)
  expect(told()).toEqual([])
})

test('a membership that begins, and one that is cancelled, are published to the creator', async () => {
  const [creator, fan] = [await identify(world, await signUp(world)), await signUp(world)]
  const plan = await addedPlan(world, creator)
  told()
  const joining = await joined(world, fan, plan.id)
  expect(told()).toEqual([salesOf(creator)])
  expect((await cancel(world, fan, joining.id)).statusCode).toBe(200)
  expect(told()).toEqual([salesOf(creator)])
})

test('each step of a payout is published to its creator alone, by creator and staff', async () => {
  const creator = await soldOnce(world, 10_000)
  const [staff, other] = [await operator(world), await operator(world)]
  told()
  const id = await requested(world, creator)
  expect(told()).toEqual([salesOf(creator)])
  await request(world, creator, { id })
  expect(told()).toEqual([])
  const steps = {
    approved: () => approve(world, staff, id),
    transferred: () => makeFile(world, other),
    returned: () =>
      settle(world, staff, id, { is: 'returned', reason: '口座名義が違います。', keeps_fee: false }),
  }
  for (const [step, take] of Object.entries(steps))
    expect([step, (await take()).statusCode, told()]).toEqual([step, 200, [salesOf(creator)]])
  expect((await call(world, creator, 'POST', '/payouts', { id: newId(), amount: 1 })).statusCode).not.toBe(
    200,
  )
  expect(told()).toEqual([])
})
