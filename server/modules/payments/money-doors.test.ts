// The doors of staff about money: preview, a second person, own payments, records.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { newId } from '#contract/ids.ts'
import type { OperatorTaskView, reconcileByAdmin } from '#contract/payments/operator-tasks.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { dayOf } from '#server/rules/money/periods.ts'
import {
  recordSettlement,
  refund,
  reverseSettlement,
  settlementsOf,
  give,
} from '#server/testing/adjustments/adjustments.ts'
import { openClub } from '#server/testing/memberships/club.ts'
import { bookingsSince, sale } from '#server/testing/payments/bookings.ts'
import {
  accessOf,
  begun,
  ledgerOf,
  notice,
  noticeFields,
  openShop,
  rowsOf,
  type Shop,
} from '#server/testing/payments/shop.ts'
import { operator } from '#server/testing/payouts/payouts.ts'
import { call, errorOf, type Member } from '#server/testing/people/members.ts'
import { onHosted, openWorld, usualPayments, type World } from '#server/testing/world.ts'

type Compared = ReplyOf<typeof reconcileByAdmin>

let world: World
let [first, second] = [] as unknown as [Member, Member]
let shop: Shop
let paymentId: string
let before: Awaited<ReturnType<typeof ledgerOf>>
beforeAll(async () => {
  // More than 600 yen needs two members of staff.
  world = await openWorld({ settings: { payments: { ...usualPayments, secondPersonYen: 600 } } })
  ;[first, second] = [await operator(world), await operator(world)]
})
afterAll(() => world.close())
beforeEach(async () => {
  await rowsOf(world, 'update operator_tasks set done_at = now() where done_at is null')
})

/** A buyer who has begun a payment and paid nothing. */
async function opened(price = 500): Promise<void> {
  shop = await openShop(world, price)
  paymentId = (await begun(world, shop.buyer, shop.postId, { price })).id
  before = await ledgerOf(world)
}
const tasks = async (): Promise<OperatorTaskView[]> =>
  (await call(world, first, 'GET', '/admin/tasks')).json().tasks
const kinds = async () => (await tasks()).map((it) => it.kind).toSorted()
const booked = () => bookingsSince(world, before)
const lineOf = (amount: number) =>
  `g-${paymentId},${paymentId},${amount},成功,${new Date(world.clock.now + 9 * 3600_000).toISOString().slice(0, 19).replace('T', ' ')}`
const listOf = (...lines: string[]) =>
  ['決済番号,店舗オーダー番号,合計金額,決済結果,決済日時', ...lines].join('\n')
const upload = (as: Member, text: string, preview = false) =>
  call(world, as, 'POST', '/admin/reconciliation', { text, preview })
const entriesAbout = (id: string) =>
  rowsOf<{ act: string; actor_id: string; detail: object }>(
    world,
    'select act, actor_id, detail from audit_log where subject_id = $1 order by seq',
    [id],
  )

// The hosted sandbox has no such list.
describe.skipIf(onHosted)('a list that staff upload', () => {
  test('is shown first, and nothing happens', async () => {
    await opened()
    const reply = (await upload(first, listOf(lineOf(500)), true)).json<Compared>()
    expect(reply).toMatchObject({ listed: 1, applied: 1, done: false, waits: false })
    expect(reply.charges).toMatchObject([
      { payment_id: paymentId, charge_ref: `g-${paymentId}`, amount: 500, is_surplus: false },
    ])
    expect([await booked(), await accessOf(world, shop.buyer, shop.postId), await kinds()]).toEqual([
      {},
      'purchase',
      [],
    ])
  })

  test('records file, payment and charge, and shows the charge until a settlement covers it', async () => {
    await opened()
    const reply = (await upload(first, listOf(lineOf(500)))).json<Compared>()
    expect([reply.done, await booked(), await accessOf(world, shop.buyer, shop.postId)]).toEqual([
      true,
      sale,
      'full',
    ])
    const [charge] = await rowsOf<{ id: string; file_digest: string }>(
      world,
      'select id, file_digest from charges where payment_id = $1',
      [paymentId],
    )
    const file = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(charge?.file_digest).toEqual(file)
    expect(await entriesAbout(paymentId)).toEqual([
      { act: 'reconcile.apply', actor_id: first.id, detail: { charge: charge?.id, amount: 500, file } },
    ])
    expect((await entriesAbout(first.id)).at(-1)).toMatchObject({
      act: 'reconcile',
      detail: { amount: 500, file },
    })
    const shown = (await tasks()).filter((it) => it.kind === 'unsettled_charge')
    expect(shown).toMatchObject([{ charge_ref: `g-${paymentId}`, amount: 500, why: 'from_file' }])
    expect(errorOf(await call(world, first, 'POST', `/admin/tasks/${shown[0]?.id}/close`, {})).code).toBe(
      'conflict',
    )
    const { balance, settlements } = await settlementsOf(world, first)
    const asked = { id: newId(), day: dayOf(world.clock.now), fee: 0, latest: settlements[0]?.id ?? null }
    const received = Math.min(balance, 600)
    await recordSettlement(world, first, { ...asked, received })
    expect([balance - received, await kinds()]).toEqual([0, []])
    await reverseSettlement(world, first, asked.id)
    expect(await kinds()).toEqual(['unsettled_charge'])
    await rowsOf(world, 'update operator_tasks set done_at = now()')
    await rowsOf(world, 'update charges set file_digest = null')
  })

  test('needs a second person above an amount, also in parts', async () => {
    await opened(500)
    const part = lineOf(500)
    expect((await upload(first, listOf(part))).json<Compared>().done).toBe(true)
    await opened(500)
    const [text, other] = [listOf(lineOf(500)), listOf(lineOf(500), part)]
    expect((await upload(first, text, true)).json<Compared>()).toMatchObject({ done: false, waits: true })
    for (const _ of [1, 2])
      expect((await upload(first, text)).json<Compared>()).toMatchObject({ done: false, waits: true })
    expect([await booked(), await accessOf(world, shop.buyer, shop.postId)]).toEqual([{}, 'purchase'])
    expect(await kinds()).toEqual(['second_person', 'unsettled_charge'])
    const ask = defined((await tasks()).find((it) => it.kind === 'second_person'))
    expect(ask).toMatchObject({ amount: 1000, why: 'reconcileByAdmin', actor: { id: first.id } })
    // The second person has downloaded the same charges in another list.
    expect((await upload(second, other)).json<Compared>()).toMatchObject({ done: true, waits: false })
    expect([await booked(), await accessOf(world, shop.buyer, shop.postId)]).toEqual([sale, 'full'])
    expect(await entriesAbout(ask.id)).toEqual([
      { act: 'second.ask', actor_id: first.id, detail: { door: 'reconcileByAdmin', amount: 1000 } },
      { act: 'second.confirm', actor_id: second.id, detail: { door: 'reconcileByAdmin', amount: 1000 } },
    ])
    expect(await kinds()).toEqual(['unsettled_charge', 'unsettled_charge'])
    expect(await rowsOf(world, 'select done_why from operator_tasks where id = $1', [ask.id])).toEqual([
      { done_why: 'settled' },
    ])
  })

  test('is refused with the own purchase or sale', async () => {
    await opened()
    await rowsOf(world, 'update payments set creator_id = $2 where id = $1', [paymentId, second.id])
    for (const preview of [true, false])
      expect(errorOf(await upload(second, listOf(lineOf(500)), preview)).code).toBe('forbidden')
    expect(await booked()).toEqual({})
  })
})

/** A paid purchase. */
async function bought(price: number): Promise<void> {
  shop = await openShop(world, price)
  const payment = await begun(world, shop.buyer, shop.postId, { price })
  await notice(world, noticeFields(payment.fields))
  paymentId = payment.id
}

describe('above an amount', () => {
  test('a refund waits for a second person, and its task too', async () => {
    await bought(700)
    before = await ledgerOf(world)
    const asked = { amount: 700, left: 700 }
    expect((await refund(world, first, paymentId, asked)).json()).toMatchObject({ done: false, waits: true })
    expect([await booked(), await kinds()]).toEqual([{}, ['second_person']])
    // Another amount is another act.
    expect((await refund(world, second, paymentId, { amount: 650, left: 700 })).json().waits).toBe(true)
    expect((await refund(world, second, paymentId, asked)).json()).toMatchObject({ done: true, waits: false })
    const task = (await tasks()).find((it) => it.kind === 'refund')
    before = await ledgerOf(world)
    const close = (as: Member, preview = false) =>
      call(world, as, 'POST', `/admin/tasks/${task?.id}/close`, { preview })
    expect((await close(first, true)).json().booked).toMatchObject({
      done: false,
      waits: true,
      entries: [{ cause: 'refund_paid' }],
    })
    expect((await close(first)).json().booked).toMatchObject({ done: false, waits: true })
    expect([await booked(), await kinds()]).toEqual([{}, ['refund', 'second_person', 'second_person']])
    expect((await close(second)).json().booked).toMatchObject({ done: true })
    expect(await booked()).toEqual({ provider_receivable: -700, refunds: 700 })
  })

  test('a given plan whose creator is paid waits for a second person', async () => {
    const { fan, plan } = await openClub(world)
    const asked = { plan_id: plan.id, ends_on: dayOf(world.clock.now + 86_400_000), paid: 601 }
    before = await ledgerOf(world)
    const replies = [
      await give(world, first, { ...asked, member: fan.email }),
      await give(world, second, { ...asked, member: fan.id }),
    ]
    expect(replies.map((it) => [it.json().done, it.json().waits])).toEqual([
      [false, true],
      [true, false],
    ])
    expect((await booked())['creator_payable']).toBe(-601)
  })

  test('the amount itself needs no second person', async () => {
    await bought(600)
    expect((await refund(world, first, paymentId, { amount: 600, left: 600 })).json().done).toBe(true)
  })

  test('an act that is not possible is refused before it waits', async () => {
    await bought(700)
    expect(errorOf(await refund(world, first, paymentId, { amount: 800, left: 700 })).code).toBe('conflict')
    expect(await kinds()).toEqual([])
  })

  test('an operator of one person waits for none, also with an own payment', async () => {
    await bought(700)
    const asked = { amount: 700, left: 700 }
    expect((await refund(world, first, paymentId, asked)).json().waits).toBe(true)
    const ask = defined((await tasks()).find((it) => it.kind === 'second_person'))
    await rowsOf(world, "update users set role = 'member' where role <> 'member' and id <> $1", [first.id])
    await rowsOf(world, 'update payments set user_id = $2 where id = $1', [paymentId, first.id])
    expect((await refund(world, first, paymentId, asked)).json().done).toBe(true)
    expect(await kinds()).toEqual(['refund'])
    // No other member of staff has confirmed it.
    expect((await entriesAbout(ask.id)).map((it) => it.act)).toEqual(['second.ask'])
    await rowsOf(world, "update users set role = 'admin' where id = $1", [second.id])
  })
})

test('a task of the own purchase is closed by another person', async () => {
  await bought(500)
  await refund(world, first, paymentId, { amount: 500, left: 500 })
  const [task] = await tasks()
  await rowsOf(world, 'update payments set user_id = $2 where id = $1', [paymentId, second.id])
  expect(errorOf(await call(world, second, 'POST', `/admin/tasks/${task?.id}/close`, {})).code).toBe(
    'forbidden',
  )
})
