// Tests where creators live for tax, and how staff decide about payouts abroad.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { monthAfter, monthOf } from '#server/rules/money/periods.ts'
import { differencesIn } from '#server/testing/payments/differences.ts'
import { ledgerOf, rowsOf } from '#server/testing/payments/shop.ts'
import { closeAt, inTokyo } from '#server/testing/payments/sold.ts'
import {
  approve,
  decide,
  makeFile,
  operator,
  overviewOf,
  payoutIn,
  readFile,
  request,
  sendResults,
  setNameCheck,
  settle,
  soldOnce,
  storeAccount,
  withResult,
} from '#server/testing/payouts/payouts.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member, type Reply, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepPayouts } from './sweep.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a creator', () => {
    let world: World
    let creator: Member
    let [one, two]: Member[] = []
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      world.clock.now = inTokyo('2026-11-01T12:00')
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      await rowsOf(world, `update users set role = 'member'`)
      creator = await soldOnce(world, 10_000)
      one = await operator(world)
      two = await operator(world)
    })
    const first = () => one as Member
    const second = () => two as Member
    const refused = (reply: Reply) => [reply.statusCode, errorOf(reply)]
    const CONFLICT = [409, { code: 'conflict' }]
    const payout = async () => defined((await overviewOf(world, creator)).payouts[0])
    const declare = (residence: string) => call(world, creator, 'PUT', '/payouts/residence', { residence })
    const declared = async () =>
      (await call(world, creator, 'GET', '/payouts/bank-account')).json().account.residence
    /** An account as the version before stored it. */
    const undeclared = async () => {
      await storeAccount(world, creator)
      const forget = 'update bank_accounts set residence = null, residence_at = null where user_id = $1'
      await rowsOf(world, forget, [creator.id])
    }
    const tasks = () =>
      rowsOf<{ amount: number; done: string | null }>(
        world,
        `select (details->>'amount')::int as amount, done_why as done from operator_tasks
          where kind = 'withhold_tax' and details->>'creator' = $1 order by created_at`,
        [creator.id],
      )
    const tax =
      (withheld: unknown, more: object = {}) =>
      async (as: Member, id: string) =>
        decide(world, as, id, { is: 'tax', withheld, reason: '租税条約の届出書がありません。', ...more })
    /** A payout that waits for its tax. @returns its id */
    async function waiting(): Promise<string> {
      await storeAccount(world, creator, '1234567', 'abroad')
      const id = newId()
      await request(world, creator, { id })
      return id
    }
    const differences = () => differencesIn(world)

    test('who lives abroad has each payout held with a task, also an automatic one', async () => {
      await storeAccount(world, creator, '1234567', 'abroad')
      await sweepPayouts(world.deps)
      expect(await payout()).toMatchObject({ state: 'held', tax_check: 'waits', withheld: 0, reason: '' })
      expect(await tasks()).toEqual([{ amount: 8750, done: null }])
      expect(await payoutIn(world, first(), 'open', creator)).toMatchObject({ tax_check: 'waits' })
    })

    test('who lives in Japan is paid as before, without a task', async () => {
      await storeAccount(world, creator)
      await request(world, creator)
      expect(await payout()).toMatchObject({ state: 'requested', tax_check: null })
      expect(await tasks()).toEqual([])
    })

    test('with an account of before is asked, and paid meanwhile', async () => {
      await undeclared()
      await request(world, creator)
      expect(await overviewOf(world, creator)).toMatchObject({ asks_residence: true })
      expect(await payout()).toMatchObject({ state: 'requested', tax_check: null })
    })

    test('declares once, with its day, and is not asked again', async () => {
      await undeclared()
      const at = new Date(world.clock.now).toISOString()
      expect((await declare('japan')).json()).toEqual({ residence: { is: 'japan', at } })
      world.clock.now += 60_000
      expect((await declare('japan')).json()).toEqual({ residence: { is: 'japan', at } })
      expect(refused(await declare('abroad'))).toEqual(CONFLICT)
      expect(await overviewOf(world, creator)).toMatchObject({ asks_residence: false })
    })

    test('without an account is not asked, and cannot declare', async () => {
      expect(await overviewOf(world, creator)).toMatchObject({ asks_residence: false })
      expect(refused(await declare('japan'))).toEqual(CONFLICT)
      expect(errorOf(await declare('moon'))).toEqual({ code: 'invalid', fields: { residence: 'required' } })
      const stranger = await signUp(world)
      const body = { residence: 'japan' }
      expect((await call(world, stranger, 'PUT', '/payouts/residence', body)).statusCode).toBe(409)
      expect((await call(world, null, 'PUT', '/payouts/residence', body)).statusCode).toBe(401)
    })

    test('who moves abroad has open payouts held, also an approved one, and the account is not held', async () => {
      await storeAccount(world, creator)
      await setNameCheck(world, creator, 'same')
      const id = newId()
      await request(world, creator, { id })
      await approve(world, first(), id)
      await storeAccount(world, creator, '1234567', 'abroad')
      expect(await payout()).toMatchObject({ state: 'held', tax_check: 'waits' })
      expect(await tasks()).toEqual([{ amount: 8750, done: null }])
      expect(await declared()).toMatchObject({ is: 'abroad' })
      expect((await makeFile(world, second())).statusCode).toBe(409)
      // Once more changes nothing.
      await storeAccount(world, creator, '1234567', 'abroad')
      expect(await tasks()).toHaveLength(1)
    })

    test('who moves abroad and stores another account has the open payout held', async () => {
      await storeAccount(world, creator)
      await request(world, creator)
      await storeAccount(world, creator, '7654321', 'abroad')
      expect(await payout()).toMatchObject({ state: 'held', tax_check: 'waits' })
      expect(await tasks()).toEqual([{ amount: 8750, done: null }])
    })

    test('has the declaration removed with the account', async () => {
      await waiting()
      await validate(world, creator)
      await call(world, creator, 'DELETE', '/payouts/bank-account')
      expect(
        await rowsOf(world, 'select residence, residence_at from bank_accounts where user_id = $1', [
          creator.id,
        ]),
      ).toEqual([{ residence: null, residence_at: null }])
    })

    test('is paid what the decided tax leaves, and the ledger owes the tax', async () => {
      const before = await ledgerOf(world)
      const id = await waiting()
      expect((await tax(1787)(first(), id)).statusCode).toBe(200)
      expect(await tasks()).toEqual([{ amount: 8750, done: 'settled' }])
      expect(await payout()).toMatchObject({
        state: 'requested',
        tax_check: 'done',
        withheld: 1787,
        tax_reason: '租税条約の届出書がありません。',
      })
      await approve(world, first(), id)
      const file = newId()
      expect((await makeFile(world, second(), file)).json()).toMatchObject({ count: 1, total: 8750 - 1787 })
      const bytes = (await readFile(world, second(), file)).rawPayload
      await sendResults(world, second(), withResult(bytes, '0'))
      expect(await payout()).toMatchObject({ state: 'paid' })
      const after = await ledgerOf(world)
      const changed = (name: string) => (after[name] ?? 0) - (before[name] ?? 0)
      expect([changed('withheld_tax'), changed('bank')]).toEqual([-1787, 1787 - 9000])
      const email = (await emailsTo(world, creator.email)).find((it) => it.is === 'payout_paid')
      expect(email).toMatchObject({ amount: 9000, fee: 250, withheld: 1787 })
      expect(await differences()).toEqual([])
    })

    test('gets the tax back with a transfer that came back, and the next payout is decided anew', async () => {
      const id = await waiting()
      await tax(1000)(first(), id)
      await approve(world, first(), id)
      await makeFile(world, second())
      await settle(world, second(), id, { is: 'returned', reason: 'x', keeps_fee: false })
      expect(await overviewOf(world, creator)).toMatchObject({ available: 9000 })
      expect(await differences()).toEqual([])
      await closeAt(world, `${monthAfter(monthOf(world.clock.now))}-01T01:00`)
      await storeAccount(world, creator, '7654321', 'abroad')
      await sweepPayouts(world.deps)
      expect(await payout()).toMatchObject({ state: 'held', tax_check: 'waits', withheld: 0 })
    })

    test('gets all back when staff cancel before or after the decision', async () => {
      const id = await waiting()
      expect((await decide(world, first(), id, { is: 'cancel', reason: 'x' })).statusCode).toBe(200)
      expect(await tasks()).toEqual([{ amount: 8750, done: 'settled' }])
      const again = newId()
      await request(world, creator, { id: again })
      await tax(1000)(first(), again)
      await decide(world, first(), again, { is: 'cancel', reason: 'x' })
      expect(await overviewOf(world, creator)).toMatchObject({ available: 9000 })
      expect(await differences()).toEqual([])
    })

    test('is not released without the decision, nor decided twice, nor by themselves', async () => {
      const id = await waiting()
      expect(refused(await decide(world, first(), id, { is: 'release' }))).toEqual(CONFLICT)
      expect((await approve(world, first(), id)).json()).toEqual({ changed: [] })
      await rowsOf(world, `update users set role = 'admin' where id = $1`, [creator.id])
      await validate(world, creator)
      expect((await tax(0)(creator, id)).statusCode).toBe(403)
      expect((await tax(0)(first(), id)).statusCode).toBe(200)
      expect(refused(await tax(0)(first(), id))).toEqual(CONFLICT)
      await decide(world, first(), id, { is: 'hold', reason: 'x' })
      expect(refused(await tax(1)(first(), id))).toEqual(CONFLICT)
      expect((await decide(world, first(), id, { is: 'release' })).statusCode).toBe(200)
      expect(await tasks()).toHaveLength(1)
    })

    test.each<[name: string, withheld: unknown, more: object, fields: object]>([
      ['the whole transfer', 8750, {}, { withheld: 'too_large' }],
      ['less than nothing', -1, {}, { withheld: 'malformed' }],
      ['half a yen', 0.5, {}, { withheld: 'malformed' }],
      ['no reason', 1, { reason: ' ' }, { reason: 'required' }],
    ])('keeps the payout held when staff type %s', async (_, withheld, more, fields) => {
      const id = await waiting()
      expect(errorOf(await tax(withheld, more)(first(), id))).toEqual({ code: 'invalid', fields })
      expect(await payout()).toMatchObject({ state: 'held', tax_check: 'waits' })
    })

    test('has the decision in the audit log, which needs a proven password', async () => {
      const id = await waiting()
      const unproven = await signUp(world)
      await rowsOf(world, `update users set role = 'admin' where id = $1`, [unproven.id])
      expect(errorOf(await tax(5)(unproven, id)).code).toBe('validation_required')
      await tax(5)(first(), id)
      const [entry] = await rowsOf<{ actor_id: string; detail: object }>(
        world,
        `select actor_id, detail from audit_log where act = 'payout.tax' and subject_id = $1`,
        [id],
      )
      expect(entry).toMatchObject({ actor_id: first().id, detail: { withheld: 5 } })
      expect(JSON.stringify(entry)).not.toContain('租税条約')
    })

    test('the task cannot be closed by hand', async () => {
      await waiting()
      const [task] = await rowsOf<{ id: string }>(
        world,
        `select id from operator_tasks where kind = 'withhold_tax' and details->>'creator' = $1`,
        [creator.id],
      )
      const reply = await call(world, first(), 'POST', `/admin/tasks/${defined(task).id}/close`, {})
      expect(refused(reply)).toEqual(CONFLICT)
      const { tasks: shown } = (await call(world, first(), 'GET', '/admin/tasks')).json()
      const it = shown.find((each: { id: string }) => each.id === task?.id)
      expect(it).toMatchObject({ kind: 'withhold_tax', amount: 8750, creator: { id: creator.id } })
    })
  })
})
