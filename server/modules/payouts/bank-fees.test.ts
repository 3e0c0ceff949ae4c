// What the bank took for a transfer file: records, ledger, invoices of creators.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import type { BookedReply } from '#contract/adjustments/adjustments.ts'
import { newId } from '#contract/ids.ts'
import { listPayoutExports, type PayoutExport } from '#contract/payouts/admin-payouts.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { ledgerOf, pricedPost, rowsOf } from '#server/testing/payments/shop.ts'
import { closeAt, inTokyo, salesOf, statementsOf } from '#server/testing/payments/sold.ts'
import {
  approve,
  makeFile,
  operator,
  recordFee,
  requested,
  settle,
  soldLastMonth,
  voidFile,
} from '#server/testing/payouts/payouts.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let [one, two, mia, ken]: Member[] = []
const [file, record, correction] = [newId(), newId(), newId()]
let ids: readonly [mia: string, ken: string]

const staff = () => two as Member
const creator = () => mia as Member
const bank = async () => (await ledgerOf(world))['bank']
const difference = async () => (await ledgerOf(world))['transfer_fee_difference']
const listed = async (id: string): Promise<PayoutExport | undefined> => {
  const reply = await call(world, staff(), 'GET', '/admin/payouts/exports')
  // As the page reads it.
  return v.parse(listPayoutExports.reply, reply.json()).exports.find((it) => it.id === id)
}
const refusal = async (reply: ReturnType<typeof recordFee>) => errorOf(await reply)

beforeAll(async () => {
  world = await openWorld()
  world.clock.now = inTokyo('2026-11-01T12:00')
  ;[mia, ken] = await soldLastMonth(world, [10_000], [5000])
  ;[one, two] = [await operator(world), await operator(world)]
  ids = [await requested(world, creator()), await requested(world, ken as Member)]
  for (const id of ids) await approve(world, one, id)
  await validate(world, staff())
  await makeFile(world, staff(), file)
})
afterAll(() => world.close())

describe('what the bank took for a transfer file', () => {
  test('cannot be recorded while a payout of it has no result', async () => {
    await settle(world, staff(), ids[0], { is: 'paid' })
    expect((await listed(file))?.settled).toBe(false)
    expect(await refusal(recordFee(world, staff(), file, 660))).toEqual({ code: 'conflict' })
    await settle(world, staff(), ids[1], { is: 'returned', reason: '口座がありません。', keeps_fee: false })
    expect(await listed(file)).toMatchObject({
      settled: true,
      borne: 250,
      bank_fees: [],
      bank_fee_late: false,
    })
    expect([await bank(), await difference()]).toEqual([-9000, undefined])
  })

  test.each([
    [-1, 'too_small'],
    [0.5, 'malformed'],
    ['660', 'required'],
    [10_001, 'too_large'],
    [100_000_000, 'too_large'],
  ])('of %j yen is refused as %s', async (fee, code) => {
    expect(await refusal(recordFee(world, staff(), file, fee))).toEqual({
      code: 'invalid',
      fields: { fee: code },
    })
  })

  test('of no file is not found', async () => {
    expect((await refusal(recordFee(world, staff(), newId(), 660))).code).toBe('not_found')
    expect((await refusal(recordFee(world, creator(), file, 660))).code).toBe('not_found')
  })

  test('is shown before it is booked', async () => {
    const reply = await recordFee(world, staff(), file, 660, { preview: true })
    expect(reply.json<BookedReply>()).toMatchObject({
      done: false,
      entries: [
        {
          cause: 'bank_fee',
          lines: [
            { account: 'transfer_fee_difference', of_creator: false, amount: 410 },
            { account: 'bank', of_creator: false, amount: -410 },
          ],
        },
      ],
    })
    expect([await bank(), (await listed(file))?.bank_fees]).toEqual([-9000, []])
  })

  test('is booked beyond what creators bore, once for its id, and the bank’s account is the bank’s statement', async () => {
    const send = () => recordFee(world, staff(), file, 660, { id: record })
    const replies = [await send(), await send()].map((it) => it.json<BookedReply>())
    expect(replies.map(({ done, entries }) => [done, entries.length])).toEqual([
      [true, 1],
      [true, 1],
    ])
    // 8,750 yen were transferred, and 660 were taken.
    expect([await bank(), await difference()]).toEqual([-9410, 410])
    expect((await listed(file))?.bank_fees).toMatchObject([
      {
        id: record,
        fee: 660,
        recorded_at: new Date(world.clock.now).toISOString(),
        actor: { id: staff().id },
      },
    ])
  })

  test('is corrected by a record that says what it replaces, and both stay', async () => {
    expect((await refusal(recordFee(world, staff(), file, 550))).code).toBe('conflict')
    const same = recordFee(world, staff(), file, 660, { replaces: record })
    expect(await refusal(same)).toEqual({ code: 'invalid', fields: { fee: 'unchanged' } })
    await validate(world, one as Member)
    const reply = await recordFee(world, one as Member, file, 550, { id: correction, replaces: record })
    expect(reply.json<BookedReply>().entries[0]?.lines.map((it) => it.amount)).toEqual([110, -110])
    expect([await bank(), await difference()]).toEqual([-9300, 300])
    expect((await listed(file))?.bank_fees.map((it) => [it.fee, it.actor?.id])).toEqual([
      [660, staff().id],
      [550, one?.id],
    ])
    const taken = recordFee(world, staff(), file, 440, { id: correction, replaces: correction })
    expect((await refusal(taken)).code).toBe('conflict')
    await expect(rowsOf(world, 'update bank_fees set fee = 0')).rejects.toThrow('append-only')
    await expect(rowsOf(world, 'delete from bank_fees')).rejects.toThrow('append-only')
  })

  test('has an entry in the audit log for each record', async () => {
    const entries = await rowsOf(
      world,
      `select actor_id, detail from audit_log where act = 'payout.file.fee' and subject_id = $1 order by seq`,
      [file],
    )
    expect(entries).toEqual([
      { actor_id: staff().id, detail: { fee: 660, record } },
      { actor_id: one?.id, detail: { fee: 550, record: correction, before: 660 } },
    ])
  })

  test('is recorded once when two members of staff do it at the same time', async () => {
    const statuses = await Promise.all(
      [staff(), one as Member].map(
        async (as) => (await recordFee(world, as, file, 540, { replaces: correction })).statusCode,
      ),
    )
    expect(statuses.toSorted()).toEqual([200, 409])
    expect((await listed(file))?.bank_fees.map((it) => it.fee)).toEqual([660, 550, 540])
  })
})

describe('fees of transfers that a creator bore', () => {
  test('are on the statement of the month of the result, whose tax is rounded once', async () => {
    // The fee of this sale is 10 yen: alone it has no tax, and 250 yen have 22.
    await buy(world, await signUp(world), await pricedPost(world, creator(), 100), 100)
    const { figures } = await salesOf(world, creator())
    expect(figures).toMatchObject({ fee: 10, fee_tax: 0, transfer_fee: 250 })
    await closeAt(world, '2027-01-01T01:00')
    const [december, november] = await statementsOf(world, creator())
    expect(december).toMatchObject({
      fee: 10,
      fee_tax: 0,
      transfer_fee: 250,
      transfer_fee_tax: 23,
      paid_out: 9000,
    })
    expect(november).toMatchObject({ fee_tax: 90, transfer_fee: 0, transfer_fee_tax: 0 })
    const [kens] = await statementsOf(world, ken as Member)
    expect(kens).toMatchObject({ month: '2026-12', transfer_fee: 0, transfer_fee_tax: 0 })
  })

  test('have their tax in the ledger, from what the platform keeps of them', async () => {
    const rows = await rowsOf(
      world,
      `select l.account, sum(l.amount)::int as sum from ledger_entries e join ledger_lines l on l.entry_id = e.id
       where e.cause = 'transfer_fee_tax' group by 1 order by 1`,
    )
    expect(rows).toEqual([
      { account: 'fee_tax', sum: -23 },
      { account: 'transfer_fee_difference', sum: 23 },
    ])
    // 540 were taken, of which creators bore 250.
    expect(await difference()).toBe(290 + 23)
  })
})

test('a file of before whose fee is not recorded is listed, and late after the end of the next month', async () => {
  const id = newId()
  await rowsOf(
    world,
    `insert into payout_exports (id, actor_id, day, count, total, sealed, made_at) values ($1, $2, '2026-11-30', 1, 1, '', '2020-01-01')`,
    [id, staff().id],
  )
  world.clock.now = inTokyo('2026-12-31T23:59')
  expect((await listed(id))?.bank_fee_late).toBe(false)
  world.clock.now = inTokyo('2027-01-01T00:00')
  expect((await listed(id))?.bank_fee_late).toBe(true)
})

test('a voided file has no fee', async () => {
  await rowsOf(world, `update payouts set state = 'exported' where id = $1`, [ids[0]])
  await rowsOf(world, `update payouts set export_id = null where id = $1`, [ids[1]])
  await validate(world, staff())
  expect((await voidFile(world, staff(), file)).statusCode).toBe(200)
  expect((await refusal(recordFee(world, staff(), file, 1))).code).toBe('conflict')
  expect((await listed(file))?.settled).toBe(false)
})
