// The tax on a statement is rounded once, and the ledger has the same.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { ledgerOf, openShop, rowsOf, type Shop } from '#server/testing/payments/shop.ts'
import { closeAt, inTokyo, salesOf, statementsOf } from '#server/testing/payments/sold.ts'
import { signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let shop: Shop
const bought: string[] = []
beforeAll(async () => {
  world = await openWorld()
  world.clock.now = inTokyo('2026-11-02T12:00')
  shop = await openShop(world, 100)
  // The fee of each is 10 yen, in which less than a yen is tax.
  for (let n = 0; n < 12; n += 1) bought.push(await buy(world, await signUp(world), shop.postId, 100))
})
afterAll(() => world.close())

const taxes = () =>
  rowsOf<{ month: string; tax: number }>(
    world,
    `select s.month, -l.amount as tax from ledger_entries e join statements s on s.id = e.statement_id
     join ledger_lines l on l.entry_id = e.id and l.account = 'fee_tax' where e.cause = 'fee_tax_rounding' order by 1`,
  )

test('the page of the open month shows the tax that its statement will have', async () => {
  const { figures } = await salesOf(world, shop.creator)
  expect(figures).toMatchObject({ posts: 1200, fee: 110, fee_tax: 10, net: 1080 })
  expect(await ledgerOf(world)).not.toHaveProperty('fee_tax')
})

test('the statement of 12 sales of 100 yen has 10 yen of tax, and so has the ledger', async () => {
  await closeAt(world, '2026-12-01T01:00')
  const [november] = await statementsOf(world, shop.creator)
  expect(november).toMatchObject({ fee: 110, fee_tax: 10, net: 1080, closing: 1080 })
  expect(await taxes()).toEqual([{ month: '2026-11', tax: 10 }])
  expect(await ledgerOf(world)).toMatchObject({ platform_fee: -110, fee_tax: -10, creator_payable: -1080 })
})

test('the entry of the tax is no sale of the next month, and another sweep adds none', async () => {
  await closeAt(world, '2026-12-01T02:00')
  expect((await salesOf(world, shop.creator)).figures).toMatchObject({ fee: 0, fee_tax: 0, net: 0 })
  expect(await taxes()).toHaveLength(1)
})

test('what is refunded later takes back the tax of all that the month refunds', async () => {
  world.clock.now = inTokyo('2026-12-10T12:00')
  for (const id of bought.slice(0, 3))
    await refundPayment(world.deps, id, { actorId: shop.creator.id, ip: '' })
  await closeAt(world, '2027-01-01T01:00')
  const [december] = await statementsOf(world, shop.creator)
  expect(december).toMatchObject({ month: '2026-12', refunds: 300, fee: -28, fee_tax: -2, net: -270 })
  expect(await ledgerOf(world)).toMatchObject({ platform_fee: -82, fee_tax: -8 })
})
