// Refunds of one charge reach a provider that takes amounts one after the other.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { refundInUnit } from '#server/services/billing/refund-payment.ts'
import { returnCharge } from '#server/services/payments/refund.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { begun, notice, noticeFields, openShop } from '#server/testing/payments/shop.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('two refunds of a charge at once return their sum, also where the provider takes what is missing', async () => {
  const { buyer, creator, postId } = await openShop(world)
  const { id, fields } = await begun(world, buyer, postId)
  await notice(world, noticeFields(fields))
  let returned = 0
  const asked: number[] = []
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
  const { promise: isAskedAgain, resolve: askedAgain } = Promise.withResolvers<void>()
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
  const { paymentProviders } = world.deps
  const current = defined(paymentProviders.current)
  // As an HTTP API: what is returned is read first, and the rest is returned.
  const refund = async (_chargeRef: string, total: number) => {
    const before = returned
    if (asked.push(total) > 1) askedAgain()
    read()
    await isFree
    returned += Math.max(0, total - before)
  }
  const deps = {
    ...world.deps,
    paymentProviders: { ...paymentProviders, of: () => ({ ...current, refund }) },
  }
  const ask = (amount: number, left: number) =>
    deps.transaction((unit) => {
      const it = { id: newId(), amount, left, reason: '依頼' }
      return refundInUnit(deps, unit, id, { actorId: creator.id, ip: '' }, it)
    })
  expect(await ask(100, 500)).toBe(true)
  const [job] = await takeJobs(world, 'payment.refund')
  const { chargeId } = defined(job)
  const first = returnCharge(deps, chargeId)
  await isRead
  expect(await ask(200, 400)).toBe(true)
  // Its job is tried again.
  const second = returnCharge(deps, chargeId).catch((error: unknown) => error)
  const refused = await Promise.race([second, isAskedAgain])
  free()
  await Promise.all([first, second])
  expect(String(refused)).toContain('is being returned')
  await returnCharge(deps, chargeId)
  expect([asked, returned]).toEqual([[100, 300], 300])
})
