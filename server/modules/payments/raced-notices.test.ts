// Webhooks at two servers at once, after a new key, and of erased people.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { PAYMENT_NOTICES_PATH } from '#contract/paths.ts'
import { noticeSecretOf } from '#server/services/payments/identifiers.ts'
import { deleteDue, leave } from '#server/testing/people/leaving.ts'
import { chargesOf, tasksOf } from '#server/testing/payments/bookings.ts'
import {
  accessOf,
  begun,
  type FormFields,
  ledgerOf,
  openShop,
  outcomesOf,
  rowsOf,
  type Shop,
  stateOf,
} from '#server/testing/payments/shop.ts'
import { metadataOf, signed } from '#server/testing/payments/webhooks.ts'
import { postgresAvailable } from '#server/testing/postgres.ts'
import { openWorld, usualPayments, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000
const noticePath = 'path-of-webhooks'.padEnd(40, 'x')
const payments = { ...usualPayments, provider: 'hosted-sandbox', noticePath } as const

describe.skipIf(!postgresAvailable())('two servers on one database', () => {
  let world: World
  let other: World
  let shop: Shop

  /** Another server on the same database and data folder. */
  const beside = (masterKeys = {}) =>
    openWorld({
      at: { url: String(world.postgres?.url) },
      settings: { payments },
      parts: { dataDir: world.dataDir, clock: () => world.clock.now, masterKeys },
    })

  beforeAll(async () => {
    world = await openWorld({ database: 'postgres', settings: { payments } })
    other = await beside()
  })
  afterAll(async () => {
    await other.close()
    await world.close()
  })
  beforeEach(async () => {
    shop = await openShop(world)
  })

  const send = (event: object, to = world) => {
    const url = `${PAYMENT_NOTICES_PATH}/${noticeSecretOf(to.deps.secrets, noticePath)}/hosted-sandbox`
    return to.app.inject({ method: 'POST', url, ...signed(world, event) })
  }
  const paidOf = (fields: FormFields, charge = newId()) => ({
    id: newId(),
    type: 'charge.succeeded',
    charge,
    amount: 500,
    metadata: metadataOf(fields),
  })
  const kindsOf = async (id: string) => (await chargesOf(world, id)).map((it) => it.is_surplus).toSorted()

  test('ten deliveries of a webhook at two servers at once are one charge', async () => {
    const { id, fields } = await begun(world, shop.buyer, shop.postId)
    const before = (await outcomesOf(world)).length
    const event = paidOf(fields)
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => send(event, n % 2 ? world : other)),
    )
    expect(replies.map((it) => it.statusCode)).toEqual(replies.map(() => 200))
    expect([await kindsOf(id), await tasksOf(world, id)]).toEqual([[false], []])
    expect([(await outcomesOf(world)).length, await stateOf(world, shop.buyer, id)]).toEqual([
      before + 1,
      'paid',
    ])
  })

  test('of two charges of a payment at once one is surplus', async () => {
    const { id, fields } = await begun(world, shop.buyer, shop.postId)
    await Promise.all([send(paidOf(fields)), send(paidOf(fields), other)])
    expect(await kindsOf(id)).toEqual([false, true])
    expect(await tasksOf(world, id)).toEqual([{ kind: 'refund_surplus', done: false }])
  })

  test('a charge and its refund at once leave one task, in whichever order they are handled', async () => {
    const { id, fields } = await begun(world, shop.buyer, shop.postId)
    const charge = newId()
    const refund = { id: newId(), type: 'charge.refunded', charge, amount: 500, payment: id }
    await Promise.all([send(paidOf(fields, charge)), send(refund, other)])
    expect(await tasksOf(world, id)).toEqual([{ kind: 'difference', done: false }])
  })

  test('a dispute before its charge opens nothing, and another charge of the payment pays', async () => {
    const { id, fields } = await begun(world, shop.buyer, shop.postId)
    const charge = newId()
    await send({ id: newId(), type: 'charge.disputed', charge, amount: 500, payment: id })
    await send(paidOf(fields, charge))
    await send(paidOf(fields, charge))
    expect([await chargesOf(world, id), await tasksOf(world, id)]).toEqual([
      [],
      [{ kind: 'difference', done: false }],
    ])
    await send(paidOf(fields))
    expect([await kindsOf(id), await accessOf(world, shop.buyer, shop.postId)]).toEqual([[false], 'full'])
  })

  test('a webhook of a key before is accepted, and one that could not be stored is not', async () => {
    const rotated = await beside({ present: 'n'.repeat(43), others: 'secret.key' })
    const { id, fields } = await begun(world, shop.buyer, shop.postId)
    await rowsOf(world, 'alter table payment_notices rename to notices_away')
    const refused = await send(paidOf(fields), rotated)
    await rowsOf(world, 'alter table notices_away rename to payment_notices')
    expect(refused.statusCode).toBe(500)
    expect((await send(paidOf(fields), rotated)).statusCode).toBe(200)
    expect(await stateOf(world, shop.buyer, id)).toBe('paid')
    await rotated.close()
  })

  test('money of a person whose account was erased goes back', async () => {
    const { id, fields } = await begun(world, shop.buyer, shop.postId)
    await leave(world, shop.buyer)
    world.clock.now += 40 * DAY
    await deleteDue(world)
    for (const type of ['charge.failed', 'page.expired', 'charge.succeeded'])
      expect((await send({ ...paidOf(fields), type })).statusCode).toBe(200)
    expect([await kindsOf(id), await tasksOf(world, id)]).toEqual([
      [true],
      [{ kind: 'refund_surplus', done: false }],
    ])
    await ledgerOf(world)
  })
})
