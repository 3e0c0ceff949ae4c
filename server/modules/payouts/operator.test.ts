// The operator's payouts: approval, holding, transfer file, results, two admins, and who may not.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { decodeRecord, RECORD } from '#server/rules/payouts/transfer-records.ts'
import { ledgerOf, rowsOf } from '#server/testing/payments/shop.ts'
import { inTokyo, salesOf } from '#server/testing/payments/sold.ts'
import {
  approve,
  decide,
  listed,
  makeFile,
  operator,
  overviewOf,
  payoutIn,
  readFile,
  request,
  sendResults,
  settle,
  soldOnce,
  storeAccount,
  voidFile,
  withResult,
} from '#server/testing/payouts/payouts.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the operator', () => {
    let world: World
    let [one, two]: Member[] = []
    let creator: Member
    let id: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      world.clock.now = inTokyo('2026-11-01T12:00')
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      await rowsOf(world, `update payouts set state = 'cancelled'`)
      creator = await soldOnce(world, 10_000)
      await storeAccount(world, creator)
      id = newId()
      await request(world, creator, { id })
      one = await operator(world)
      two = await operator(world)
    })
    const first = () => one as Member
    const second = () => two as Member

    const stateOf = async () => (await overviewOf(world, creator)).payouts[0]?.state
    const balance = async () => (await salesOf(world, creator)).balance.total
    const kinds = async () =>
      (await emailsTo(world, creator.email)).map((it) => it.is).filter((it) => it.startsWith('payout_'))

    /** Approved by one admin and exported by the other. @returns the export's id */
    async function exported(): Promise<string> {
      await approve(world, first(), id)
      const exportId = newId()
      expect((await makeFile(world, second(), exportId)).statusCode).toBe(200)
      return exportId
    }

    test('approves, another admin makes the file, and the bank’s result pays', async () => {
      expect(await payoutIn(world, first(), 'open', creator)).toMatchObject({
        id,
        state: 'requested',
        amount: 9000,
        fee: 250,
        name_check: 'unknown',
        held_until: null,
      })
      expect((await approve(world, first(), id)).json()).toEqual({ changed: [id] })
      expect(await payoutIn(world, first(), 'approved', creator)).toMatchObject({ stop: 'other_admin' })
      expect(await payoutIn(world, second(), 'approved', creator)).toMatchObject({ stop: null })
      expect(errorOf(await makeFile(world, first())).code).toBe('conflict')
      const exportId = newId()
      expect((await makeFile(world, second(), exportId)).json()).toEqual({
        id: exportId,
        count: 1,
        total: 8750,
        left_out: [],
      })
      expect(await stateOf()).toBe('exported')
      const file = (await readFile(world, second(), exportId)).rawPayload
      const record = decodeRecord(file.subarray(RECORD + 2, 2 * RECORD + 2))
      expect(record).toMatchObject({
        is: 'data',
        values: {
          accountNumber: '1234567',
          amount: expect.stringMatching(/^0*8750$/),
          holder: expect.any(String),
        },
      })
      const imported = await sendResults(world, second(), withResult(file, '0'))
      expect(imported.json()).toEqual({ paid: 1, returned: 0, unknown: [] })
      expect(await stateOf()).toBe('paid')
      expect(await kinds()).toEqual(['payout_paid'])
      const again = await sendResults(world, second(), withResult(file, '0'))
      expect(again.json()).toEqual({ paid: 0, returned: 0, unknown: [] })
      expect(await kinds()).toEqual(['payout_paid'])
    })

    test('makes one file of one request, and no payout is in two files', async () => {
      const exportId = await exported()
      expect((await makeFile(world, second(), exportId)).json()).toMatchObject({ id: exportId, count: 1 })
      expect(errorOf(await makeFile(world, second())).code).toBe('conflict')
      const bytes = (await readFile(world, second(), exportId)).rawPayload
      expect((await readFile(world, first(), exportId)).rawPayload.equals(bytes)).toBe(true)
    })

    test('makes one file when several are requested at once', async () => {
      await approve(world, first(), id)
      const replies = await Promise.all(Array.from({ length: 6 }, () => makeFile(world, second())))
      expect(replies.filter((it) => it.statusCode === 200)).toHaveLength(1)
    })

    test('puts a returned transfer back into the balance, and the next one needs another account', async () => {
      await exported()
      const reply = await settle(world, second(), id, {
        is: 'returned',
        reason: '口座名義が違います。',
        keeps_fee: false,
      })
      expect(reply.json()).toEqual({ changed: [id] })
      expect(await balance()).toBe(9000)
      expect(await kinds()).toEqual(['payout_returned'])
      expect(await overviewOf(world, creator)).toMatchObject({ obstacle: 'returned', available: 9000 })
      world.clock.now += 1000
      await storeAccount(world, creator, '7654321')
      expect((await request(world, creator)).statusCode).toBe(200)
      const next = await payoutIn(world, first(), 'open', creator)
      expect(next?.held_until).not.toBeNull()
      expect((await approve(world, first(), defined(next?.id))).json()).toEqual({ changed: [] })
      world.clock.now += 4 * 24 * 3600_000
      await validate(world, first())
      expect((await approve(world, first(), defined(next?.id))).json()).toEqual({ changed: [next?.id] })
    })

    test('takes back a paid transfer that the bank sent back later, without its fee', async () => {
      await exported()
      await settle(world, second(), id, { is: 'paid' })
      const before = await ledgerOf(world)
      await settle(world, second(), id, { is: 'returned', reason: '組戻です。', keeps_fee: true })
      expect(await balance()).toBe(8750)
      expect((await ledgerOf(world))['bank']).toBe((before['bank'] ?? 0) + 8750 || undefined)
      expect(errorOf(await settle(world, second(), id, { is: 'paid' })).code).toBe('conflict')
    })

    test('holds a payout with a reason, lets it go on, and cancels it', async () => {
      expect((await decide(world, first(), id, { is: 'hold', reason: '確認中です。' })).statusCode).toBe(200)
      expect((await overviewOf(world, creator)).payouts[0]).toMatchObject({
        state: 'held',
        reason: '確認中です。',
      })
      expect((await approve(world, first(), id)).json()).toEqual({ changed: [] })
      await decide(world, first(), id, { is: 'release' })
      expect(await stateOf()).toBe('requested')
      await decide(world, first(), id, { is: 'cancel', reason: '重複です。' })
      expect(await stateOf()).toBe('cancelled')
      expect(await balance()).toBe(9000)
      expect(await kinds()).toEqual(['payout_held', 'payout_cancelled'])
      expect(errorOf(await decide(world, first(), id, { is: 'hold', reason: 'x' })).code).toBe('conflict')
      expect(errorOf(await decide(world, first(), id, { is: 'hold' })).code).toBe('invalid')
    })

    test('needs a recent validation for each change, and every change is in the audit log', async () => {
      await approve(world, first(), id)
      await rowsOf(world, 'update sessions set validated_at = null where user_id = $1', [first().id])
      for (const reply of [
        await approve(world, first(), id),
        await decide(world, first(), id, { is: 'release' }),
        await makeFile(world, first()),
        await readFile(world, first(), newId()),
        await voidFile(world, first(), newId()),
        await settle(world, first(), id, { is: 'paid' }),
        await call(world, first(), 'POST', '/admin/payouts/results', { file: '' }),
      ])
        expect(errorOf(reply).code).toBe('validation_required')
      const acts = await rowsOf<{ act: string }>(world, 'select act from audit_log where subject_id = $1', [
        id,
      ])
      expect(acts.map((it) => it.act)).toEqual(['payout.approve'])
    })

    test('is an admin: others get 404, also for the file', async () => {
      const exportId = await exported()
      await validate(world, creator)
      for (const reply of [
        await call(world, creator, 'GET', '/admin/payouts'),
        await call(world, creator, 'GET', '/admin/payouts/exports'),
        await approve(world, creator, id),
        await decide(world, creator, id, { is: 'release' }),
        await makeFile(world, creator),
        await voidFile(world, creator, exportId),
        await settle(world, creator, id, { is: 'paid' }),
        await readFile(world, creator, exportId),
        await call(world, creator, 'POST', '/admin/payouts/results', { file: '' }),
      ])
        expect([reply.statusCode, errorOf(reply).code]).toEqual([404, 'not_found'])
      expect(errorOf(await readFile(world, null, exportId)).code).toBe('unauthenticated')
      expect(await stateOf()).toBe('exported')
    })

    test.each([
      ['a Sunday', '2026-12-27'],
      ['New Year’s Eve', '2026-12-31'],
      ['a year without holidays', '2060-01-05'],
    ])('cannot make a file for %s', async (_, day) => {
      await approve(world, first(), id)
      expect(errorOf(await makeFile(world, second(), newId(), day))).toMatchObject({
        code: 'invalid',
        fields: { day: 'malformed' },
      })
      expect(await stateOf()).toBe('approved')
    })

    test('sees which results name no exported payout, and that a file cannot be read', async () => {
      const exportId = await exported()
      const file = (await readFile(world, second(), exportId)).rawPayload
      await settle(world, second(), id, { is: 'returned', reason: 'x', keeps_fee: false })
      const reply = await sendResults(world, second(), withResult(file, '0'))
      expect(reply.json().unknown).toHaveLength(1)
      expect(await stateOf()).toBe('returned')
      const broken = await sendResults(world, second(), Buffer.from('not a file'))
      expect(errorOf(broken).code).toBe('invalid')
    })

    test('sees sums of a list', async () => {
      expect(await listed(world, first(), 'open')).toMatchObject({
        count: 1,
        total: 8750,
        has_requester: true,
      })
    })
  })
})
