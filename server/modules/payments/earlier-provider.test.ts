// Payments, charges and memberships go on with the provider that their rows remember.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { providersOf } from '#server/services/payments/providers.ts'
import { returnCharge } from '#server/services/payments/refund.ts'
import { listOpenTasks } from '#server/store/payments/operator-tasks.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { cancel, joined, membershipOf, openClub, runJobs } from '#server/testing/memberships/club.ts'
import {
  accessOf,
  begin,
  begun,
  type BegunPayment,
  notice,
  noticeFields,
  openShop,
  outcomesOf,
  pay,
  rowsOf,
} from '#server/testing/payments/shop.ts'
import { openWorld, usualPayments, type World } from '#server/testing/world.ts'

const linkForm = { ...usualPayments, url: 'https://pay.example/form', provider: 'link-form' } as const

/** A server whose operator has changed from the sandbox to the link form, on the database of an earlier server. */
async function changed(
  before: World,
  earlierProviders: readonly ('sandbox' | 'hosted-sandbox')[],
): Promise<World> {
  const { paymentProviders: opened } = before.deps
  const after = await openWorld({ settings: { payments: { ...linkForm, earlierProviders } } })
  const { current } = after.deps.paymentProviders
  const providers = providersOf(current, earlierProviders.length > 0 ? opened.all : [])
  await after.close()
  return { ...before, deps: { ...before.deps, paymentProviders: providers } }
}

let world: World
beforeEach(async () => {
  await world?.close()
  world = await openWorld()
})
afterAll(() => world.close())

const tasks = async () => (await listOpenTasks(world.deps.db, 100)).map((it) => it.kind)

test('each payment, charge and membership remembers its provider', async () => {
  const { buyer, postId } = await openShop(world)
  await notice(world, noticeFields((await begun(world, buyer, postId)).fields))
  const { fan, plan } = await openClub(world)
  await joined(world, fan, plan.id)
  const remembered = await rowsOf(
    world,
    `select provider from payments union all select provider from charges union all select provider from memberships`,
  )
  expect(remembered).toEqual(Array.from({ length: 5 }, () => ({ provider: usualPayments.provider })))
})

test('a refund goes to the provider of the charge, also after another one is configured', async () => {
  const { buyer, creator, postId } = await openShop(world)
  const { id, fields } = await begun(world, buyer, postId)
  await notice(world, noticeFields(fields))
  const { deps } = await changed(world, ['sandbox'])
  expect(await refundPayment(deps, id, { actorId: creator.id, ip: '' })).toBe(true)
  for (const it of await takeJobs(world, 'payment.refund')) await returnCharge(deps, it.chargeId)
  // The link form would have left the task open.
  expect(await tasks()).toEqual([])
})

test('a refund by a provider that is not open any more is the operator’s task', async () => {
  const { buyer, creator, postId } = await openShop(world)
  const { id, fields } = await begun(world, buyer, postId)
  await notice(world, noticeFields(fields))
  const { deps } = await changed(world, [])
  expect(await refundPayment(deps, id, { actorId: creator.id, ip: '' })).toBe(true)
  for (const it of await takeJobs(world, 'payment.refund')) await returnCharge(deps, it.chargeId)
  expect([await tasks(), await accessOf(world, buyer, postId)]).toEqual([['refund'], 'purchase'])
})

test.each([
  ['stopped by its provider', ['sandbox'] as const, []],
  ['a task when its provider is not open any more', [] as const, ['stop_charges']],
])('the recurring charge of a cancelled membership is %s', async (_, earlier, left) => {
  const { fan, plan } = await openClub(world)
  const { id } = await joined(world, fan, plan.id)
  await cancel(world, fan, id)
  await runJobs(await changed(world, earlier))
  expect(await tasks()).toEqual(left)
  expect((await membershipOf(world, fan))?.is_processing).toBe(left.length > 0)
})

test('a payment that was begun before is paid at its provider, and a new one begins at the new provider', async () => {
  const both = { ...linkForm, earlierProviders: ['sandbox'] as const }
  const other = await openWorld({ settings: { payments: both } })
  const shop = await openShop(other)
  // As a row of the sandbox, which was configured before.
  const old = await begun(other, shop.buyer, shop.postId)
  await rowsOf(other, `update payments set provider = 'sandbox'`)
  const again = (await begin(other, shop.buyer, shop.postId, { payment_id: old.id })).json<BegunPayment>()
  expect(again.start).toMatchObject({ is: 'form', form: { action: '/api/payment-sandbox' } })
  const fresh = await begun(other, shop.buyer, shop.postId)
  expect(fresh.id).not.toBe(old.id)
  expect(fresh.start).toMatchObject({ is: 'form', form: { action: 'https://pay.example/form' } })
  // The link form reports a charge of the payment that was begun at the sandbox.
  await notice(other, noticeFields(old.fields))
  expect(await outcomesOf(other)).toEqual(['refused:provider'])
  expect(await accessOf(other, shop.buyer, shop.postId)).toBe('purchase')
  await notice(other, noticeFields(fresh.fields))
  expect(await accessOf(other, shop.buyer, shop.postId)).toBe('full')
  await other.close()
})

test('two providers of the plain address have addresses of their own', async () => {
  const payments = { ...linkForm, earlierProviders: ['sandbox'] as const }
  const other = await openWorld({ listen: true, settings: { payments } })
  const { buyer, postId } = await openShop(other)
  const { fields } = await begun(other, buyer, postId)
  await rowsOf(other, `update payments set provider = 'sandbox'`)
  await pay(other, fields)
  expect([await outcomesOf(other), await accessOf(other, buyer, postId)]).toEqual([['granted'], 'full'])
  await other.close()
})

test('a payment of a version that stored no provider is paid by the configured one', async () => {
  const { buyer, postId } = await openShop(world)
  const { fields } = await begun(world, buyer, postId)
  await rowsOf(world, 'update payments set provider = null')
  await notice(world, noticeFields(fields))
  expect(await accessOf(world, buyer, postId)).toBe('full')
})
