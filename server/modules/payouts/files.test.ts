// Transfer files: payouts that are left out, and files that the bank refused.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ReplyOf } from '#contract/endpoint.ts'
import { newId } from '#contract/ids.ts'
import type { listPayoutExports, PayoutExport } from '#contract/payouts/admin-payouts.ts'
import { ledgerOf, rowsOf } from '#server/testing/payments/shop.ts'
import { inTokyo } from '#server/testing/payments/sold.ts'
import {
  approve,
  makeFile,
  operator,
  overviewOf,
  payoutIn,
  readFile,
  requested,
  sendResults,
  setNameCheck,
  settle,
  soldLastMonth,
  storeAccount,
  voidFile,
  withResult,
} from '#server/testing/payouts/payouts.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a transfer file', () => {
    let world: World
    let [one, two, mia, ken]: Member[] = []
    let ids: readonly [mia: string, ken: string]
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
      ids = [await requested(world, creator()), await requested(world, other())]
      await setNameCheck(world, creator(), 'same')
      await setNameCheck(world, other(), 'same')
      await approve(world, first(), ...ids)
    })
    const first = () => one as Member
    const second = () => two as Member
    const creator = () => mia as Member
    const other = () => ken as Member

    const stateOf = async (as: Member) => (await overviewOf(world, as)).payouts[0]?.state
    const numberOf = async (id: string) =>
      (await rowsOf<{ number: number }>(world, 'select number from payouts where id = $1', [id]))[0]?.number
    const listedFile = async (id: string): Promise<PayoutExport | undefined> => {
      const reply = await call(world, first(), 'GET', '/admin/payouts/exports')
      return reply.json<ReplyOf<typeof listPayoutExports>>().exports.find((it) => it.id === id)
    }
    const removeAccount = async (as: Member) => {
      await validate(world, as)
      await call(world, as, 'DELETE', '/payouts/bank-account')
    }

    test('leaves out a payout whose account was removed after the approval, with the reason', async () => {
      await removeAccount(creator())
      const exportId = newId()
      const leftOut = [{ number: await numberOf(ids[0]), why: 'no_account' }]
      expect((await makeFile(world, second(), exportId)).json()).toEqual({
        id: exportId,
        count: 1,
        total: 4250,
        left_out: leftOut,
      })
      expect((await makeFile(world, second(), exportId)).json().left_out).toEqual(leftOut)
      expect((await listedFile(exportId))?.left_out).toEqual(leftOut)
      expect([await stateOf(creator()), await stateOf(other())]).toEqual(['approved', 'exported'])
      // The last digits of the account stay with what was sent to it.
      expect((await overviewOf(world, other())).payouts[0]).toMatchObject({ last_digits: '567' })
      expect(await payoutIn(world, second(), 'approved', creator())).toMatchObject({ stop: 'no_account' })
      expect(errorOf(await makeFile(world, second())).code).toBe('conflict')
    })

    test('leaves out a payout whose account was just changed, which the next file has after three days', async () => {
      world.clock.now += 1000
      await storeAccount(world, creator(), '7654321')
      await setNameCheck(world, creator(), 'same')
      const { left_out: leftOut } = (await makeFile(world, second())).json()
      expect(leftOut).toEqual([{ number: await numberOf(ids[0]), why: 'held' }])
      world.clock.now += 4 * DAY
      await validate(world, second())
      expect((await makeFile(world, second())).json()).toMatchObject({ count: 1, total: 8750, left_out: [] })
    })

    test('leaves out a payout that needs an approval again: another name, or a creator who was suspended', async () => {
      world.clock.now += 1000
      await storeAccount(world, creator(), '7654321')
      await rowsOf(world, 'update users set suspended_at = $2 where id = $1', [
        other().id,
        new Date(world.clock.now).toISOString(),
      ])
      world.clock.now += 4 * DAY
      for (const it of [first(), second()]) await validate(world, it)
      expect(errorOf(await makeFile(world, second())).code).toBe('conflict')
      for (const it of [creator(), other()])
        expect(await payoutIn(world, first(), 'approved', it)).toMatchObject({
          stop: 'approve_again',
          single_only: true,
        })
      expect((await approve(world, first(), ...ids)).json().changed).toEqual([])
      for (const id of ids) expect((await approve(world, first(), id)).json().changed).toEqual([id])
      expect((await makeFile(world, second())).json()).toMatchObject({ count: 2, left_out: [] })
    })

    test('leaves out a payout that it cannot have, and is refused with it when there is no other', async () => {
      const find = world.deps.banks.find
      await rowsOf(world, `update bank_accounts set branch_code = '015' where user_id = $1`, [creator().id])
      Object.assign(world.deps.banks, {
        find: async (bank: string, branch: string) => {
          const place = await find(bank, branch)
          return place && branch === '015' ? { ...place, branch: { ...place.branch, kana: '漢字' } } : place
        },
      })
      const number = await numberOf(ids[0])
      const reply = await makeFile(world, second())
      expect(reply.json()).toMatchObject({ count: 1, left_out: [{ number, why: 'unwritable' }] })
      expect(errorOf(await makeFile(world, second()))).toMatchObject({
        code: 'invalid',
        fields: { [`payout ${number}`]: 'malformed' },
      })
      Object.assign(world.deps.banks, { find })
    })

    test('that the bank refused is voided: it is read no more, and its payouts are in the next file', async () => {
      const exportId = newId()
      const before = await ledgerOf(world)
      await makeFile(world, second(), exportId)
      expect(await listedFile(exportId)).toMatchObject({ voidable: true, has_file: true, voided_at: null })
      const file = (await readFile(world, second(), exportId)).rawPayload
      expect((await voidFile(world, second(), exportId)).json()).toEqual({ payouts: 2 })
      expect(errorOf(await readFile(world, second(), exportId)).code).toBe('not_found')
      expect(await listedFile(exportId)).toMatchObject({
        voidable: false,
        has_file: false,
        void_reason: '銀行がファイルを受け付けませんでした。',
      })
      expect([await stateOf(creator()), await stateOf(other())]).toEqual(['approved', 'approved'])
      expect(await ledgerOf(world)).toEqual(before)
      expect((await emailsTo(world, creator().email)).filter((it) => it.is.startsWith('payout_'))).toEqual([])
      expect(await overviewOf(world, creator())).toMatchObject({ obstacle: 'this_month' })
      expect(errorOf(await makeFile(world, second(), exportId)).code).toBe('conflict')
      expect((await sendResults(world, second(), withResult(file, '0'))).json()).toMatchObject({ paid: 0 })
      const next = newId()
      expect((await makeFile(world, second(), next)).json()).toMatchObject({ count: 2 })
      expect((await readFile(world, second(), next)).rawPayload.equals(file)).toBe(true)
      const acts = await rowsOf<{ act: string; detail: object }>(
        world,
        `select act, detail from audit_log where subject_id = $1 and act = 'payout.file.void'`,
        [exportId],
      )
      expect(acts).toMatchObject([{ detail: { payouts: [await numberOf(ids[0]), await numberOf(ids[1])] } }])
    })

    test('is not voided after a result, twice, without the admin’s word that it was not executed, or a reason', async () => {
      const exportId = newId()
      await makeFile(world, second(), exportId)
      expect(errorOf(await voidFile(world, second(), exportId, { not_executed: false })).code).toBe('invalid')
      expect(errorOf(await voidFile(world, second(), exportId, { reason: ' ' })).code).toBe('invalid')
      expect(errorOf(await voidFile(world, second(), newId())).code).toBe('not_found')
      await settle(world, second(), ids[0], { is: 'paid' })
      expect((await listedFile(exportId))?.voidable).toBe(false)
      expect(errorOf(await voidFile(world, second(), exportId)).code).toBe('conflict')
      expect(await stateOf(other())).toBe('exported')
    })

    test('that is voided by several requests at once is voided once', async () => {
      const exportId = newId()
      await makeFile(world, second(), exportId)
      const replies = await Promise.all(Array.from({ length: 5 }, () => voidFile(world, first(), exportId)))
      expect(replies.filter((it) => it.statusCode === 200)).toHaveLength(1)
      expect((await makeFile(world, second())).json()).toMatchObject({ count: 2 })
    })
  })
})
