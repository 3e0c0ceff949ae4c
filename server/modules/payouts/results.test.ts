// The bank's result file: every difference from the sent file refuses it as a whole.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { RECORD } from '#server/rules/payouts/transfer-records.ts'
import { rowsOf } from '#server/testing/payments/shop.ts'
import { inTokyo } from '#server/testing/payments/sold.ts'
import {
  approve,
  makeFile,
  operator,
  overviewOf,
  readFile,
  requested,
  sendResults,
  soldLastMonth,
  storeAccount,
  withResult,
} from '#server/testing/payouts/payouts.ts'
import { errorOf, type Member } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('results of the bank', () => {
    let world: World
    let [one, two, mia, ken]: Member[] = []
    let numbers: readonly number[]
    let exportId: string
    let file: Buffer
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      world.clock.now = inTokyo('2026-11-01T12:00')
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      await rowsOf(world, `update payouts set state = 'cancelled'`)
      ;[mia, ken] = await soldLastMonth(world, [10_000], [5000])
      one = await operator(world)
      two = await operator(world)
      const ids = [await requested(world, creator()), await requested(world, other())]
      for (const id of ids) await approve(world, one, id)
      exportId = newId()
      await makeFile(world, second(), exportId)
      file = withResult((await readFile(world, second(), exportId)).rawPayload, '0')
      const rows = await rowsOf<{ number: number }>(
        world,
        'select number from payouts where export_id = $1 order by number',
        [exportId],
      )
      numbers = rows.map((it) => it.number)
    })
    const second = () => two as Member
    const creator = () => mia as Member
    const other = () => ken as Member
    const states = async () =>
      [await overviewOf(world, creator()), await overviewOf(world, other())].map((it) => it.payouts[0]?.state)

    /** The file with digits at a byte (from 1) of a record (0 is the header). */
    const changed = (record: number, at: number, digits: string): Buffer => {
      const bytes = Buffer.from(file)
      bytes.write(digits, record * (RECORD + 2) + at - 1, 'latin1')
      return bytes
    }

    test.each<[field: string, record: number, at: number, digits: string]>([
      ['bankCode', 2, 2, '0005'],
      ['branchCode', 2, 21, '015'],
      ['accountType', 2, 43, '2'],
      ['accountNumber', 2, 44, '7654321'],
    ])('with another %s than was sent record nothing, and name the payout', async (field, ...at) => {
      const reply = await sendResults(world, second(), changed(...at))
      expect(errorOf(reply)).toEqual({
        code: 'invalid',
        fields: { [`payout ${numbers[1]} ${field}`]: 'malformed' },
      })
      expect(await states()).toEqual(['exported', 'exported'])
    })

    test.each<[field: string, at: number, digits: string]>([
      ['requesterCode', 5, '0000000002'],
      ['bankCode', 59, '0005'],
    ])('with another %s in the header record nothing', async (field, at, digits) => {
      const reply = await sendResults(world, second(), changed(0, at, digits))
      expect(errorOf(reply)).toEqual({ code: 'invalid', fields: { [`header ${field}`]: 'malformed' } })
      expect(await states()).toEqual(['exported', 'exported'])
    })

    test('with another amount record nothing', async () => {
      // The trailer has the sum, so that two amounts are exchanged.
      const bytes = Buffer.from(file)
      const at = (record: number) => record * (RECORD + 2) + 80
      file.copy(bytes, at(1), at(2), at(2) + 10)
      file.copy(bytes, at(2), at(1), at(1) + 10)
      expect(errorOf(await sendResults(world, second(), bytes)).fields).toEqual({
        [`payout ${numbers[0]} amount`]: 'malformed',
      })
      expect(await states()).toEqual(['exported', 'exported'])
    })

    test('are compared with the account that was sent, not with a later one', async () => {
      await storeAccount(world, creator(), '7654321')
      expect((await sendResults(world, second(), file)).json()).toEqual({ paid: 2, returned: 0, unknown: [] })
      expect(await states()).toEqual(['paid', 'paid'])
    })

    test('of a file that was removed change nothing, and are named', async () => {
      await rowsOf(world, `update payout_exports set sealed = '' where id = $1`, [exportId])
      expect((await sendResults(world, second(), file)).json()).toEqual({
        paid: 0,
        returned: 0,
        unknown: numbers.map(String),
      })
      expect(await states()).toEqual(['exported', 'exported'])
    })
  })
})
