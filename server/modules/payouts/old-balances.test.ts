// Balances older than six months: paid by themselves, or a task.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { monthAfter, monthOf } from '#server/rules/money/periods.ts'
import { rowsOf } from '#server/testing/payments/shop.ts'
import { closeAt, inTokyo } from '#server/testing/payments/sold.ts'
import {
  approve,
  decide,
  makeFile,
  operator,
  overviewOf,
  settle,
  soldOnce,
  storeAccount,
} from '#server/testing/payouts/payouts.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { deleteDue, leave, validate } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { sweepPayouts } from './sweep.ts'

interface Task {
  readonly id: string
  readonly why: string
  readonly amount: number
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a balance older than six months', () => {
    let world: World
    let admin: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      world.clock.now = inTokyo('2026-11-01T12:00')
    })
    afterAll(() => world.close())

    /** The first day of a month from the present one, with all months before it closed. */
    const months = async (count: number) => {
      await closeAt(world, `${monthAfter(monthOf(world.clock.now), count)}-01T01:30`)
      await sweepPayouts(world.deps)
    }
    const tasksOf = (creator: Member, isOpen = true) =>
      rowsOf<Task>(
        world,
        `select id, details->>'why' as why, (details->>'amount')::int as amount from operator_tasks
          where kind = 'old_balance' and details->>'creator' = $1 and (done_at is null) = $2 order by created_at, id`,
        [creator.id, isOpen],
      )
    const whysOf = async (creator: Member) => (await tasksOf(creator)).map((it) => [it.why, it.amount])
    const payoutsOf = (creator: Member) =>
      rowsOf<{ id: string; state: string; amount: number; fee: number }>(
        world,
        'select id, state, amount::int as amount, fee from payouts where creator_id = $1 order by number',
        [creator.id],
      )
    const told = async (creator: Member) =>
      (await emailsTo(world, creator.email)).flatMap((it) => (it.is === 'old_balance' ? [it.step] : []))
    const oldOf = async (creator: Member) => (await overviewOf(world, creator)).old
    const manual = (creator: Member) =>
      call(world, creator, 'PUT', '/payouts/automatic', { automatic: false })
    /** The bank sends the creator's payout back. */
    async function comesBack(creator: Member): Promise<void> {
      admin = await operator(world)
      const { id } = defined((await payoutsOf(creator)).findLast((it) => it.state === 'requested'))
      expect((await approve(world, admin, id)).json()).toEqual({ changed: [id] })
      expect((await makeFile(world, await operator(world))).statusCode).toBe(200)
      const reply = await settle(world, admin, id, {
        is: 'returned',
        reason: '口座番号が違います。',
        keeps_fee: false,
      })
      expect(reply.statusCode).toBe(200)
    }

    test('without a bank account is one task with a deadline, and its creator is told once', async () => {
      const creator = await soldOnce(world, 10_000)
      await months(5)
      expect([await whysOf(creator), await told(creator), await oldOf(creator)]).toEqual([[], [], null])
      await months(1)
      await sweepPayouts(world.deps)
      expect(await whysOf(creator)).toEqual([['no_account', 9000]])
      expect(await told(creator)).toEqual(['no_account'])
      expect(await oldOf(creator)).toEqual({ amount: 9000, step: 'no_account' })
      const [row] = await rowsOf<{ days: number }>(
        world,
        `select (extract(epoch from due_at - created_at) / 86400)::int as days from operator_tasks where id = $1`,
        [(await tasksOf(creator))[0]?.id],
      )
      expect(row?.days).toBe(30)
    })

    test('is requested as soon as its creator stores an account, which closes the task', async () => {
      const creator = await soldOnce(world, 500)
      await months(6)
      expect(await whysOf(creator)).toEqual([['no_account', 450]])
      expect((await storeAccount(world, creator)).statusCode).toBe(200)
      expect(await payoutsOf(creator)).toMatchObject([{ state: 'requested', amount: 450, fee: 0 }])
      expect([await whysOf(creator), await oldOf(creator)]).toEqual([[], null])
      expect(await told(creator)).toEqual(['no_account', 'request'])
      const closed = await rowsOf<{ done_why: string }>(
        world,
        `select done_why from operator_tasks where id = $1`,
        [(await tasksOf(creator, false))[0]?.id],
      )
      expect(closed).toEqual([{ done_why: 'settled' }])
    })

    test('of a creator abroad is requested and held, and the email names no day', async () => {
      const creator = await soldOnce(world, 10_000)
      await months(6)
      await storeAccount(world, creator, '1234567', 'abroad')
      expect(await payoutsOf(creator)).toMatchObject([{ state: 'held' }])
      const emails = (await emailsTo(world, creator.email)).filter((it) => it.is === 'old_balance')
      expect(emails.map((it) => [it.step, it.dueOn])).toEqual([
        ['no_account', expect.any(String)],
        ['request', ''],
      ])
    })

    test('below the minimum is paid out whole without a fee, also when payouts are not automatic', async () => {
      const creator = await soldOnce(world, 300)
      await storeAccount(world, creator)
      await manual(creator)
      await months(5)
      expect([await payoutsOf(creator), await told(creator)]).toEqual([[], []])
      await months(1)
      await sweepPayouts(world.deps)
      expect(await payoutsOf(creator)).toMatchObject([{ state: 'requested', amount: 270, fee: 0 }])
      expect([await told(creator), await tasksOf(creator)]).toEqual([['request'], []])
    })

    test('above the minimum is paid out with the usual fee, although payouts are not automatic', async () => {
      const creator = await soldOnce(world, 10_000)
      await storeAccount(world, creator)
      await manual(creator)
      await months(6)
      expect(await payoutsOf(creator)).toMatchObject([{ state: 'requested', amount: 9000, fee: 250 }])
      expect(await told(creator)).toEqual(['request'])
    })

    test('whose payout came back is a task until the account is changed, and again when that comes back', async () => {
      const creator = await soldOnce(world, 300)
      await storeAccount(world, creator)
      await months(6)
      await comesBack(creator)
      await sweepPayouts(world.deps)
      await sweepPayouts(world.deps)
      expect([await whysOf(creator), await told(creator)]).toEqual([
        [['returned', 270]],
        ['request', 'returned'],
      ])
      expect(await oldOf(creator)).toEqual({ amount: 270, step: 'returned' })
      world.clock.now += 1000
      await storeAccount(world, creator, '7654321')
      expect([await whysOf(creator), (await payoutsOf(creator)).length]).toEqual([[], 2])
      world.clock.now += 5 * 24 * 3600_000
      await comesBack(creator)
      await sweepPayouts(world.deps)
      expect(await whysOf(creator)).toEqual([['returned', 270]])
      expect(await tasksOf(creator, false)).toHaveLength(1)
    })

    test('whose payout staff cancelled is a task, and requested again in the next month', async () => {
      const creator = await soldOnce(world, 300)
      await storeAccount(world, creator)
      await months(6)
      admin = await operator(world)
      const [payout] = await payoutsOf(creator)
      await decide(world, admin, defined(payout?.id), { is: 'cancel', reason: '確認のため' })
      await sweepPayouts(world.deps)
      expect([await whysOf(creator), (await payoutsOf(creator)).length]).toEqual([[['cancelled', 270]], 1])
      await months(1)
      expect([await whysOf(creator), (await payoutsOf(creator)).length]).toEqual([[], 2])
    })

    test('of a suspended creator is a task, of which they are not told, and of one without an approved identity too', async () => {
      const suspended = await soldOnce(world, 5000)
      await rowsOf(world, 'update users set suspended_at = now() where id = $1', [suspended.id])
      await months(6)
      expect([await whysOf(suspended), await told(suspended)]).toEqual([[['suspended', 4500]], []])
      const unknown = await soldOnce(world, 5000)
      await storeAccount(world, unknown)
      await manual(unknown)
      await rowsOf(world, 'update users set identified_at = null where id = $1', [unknown.id])
      await months(6)
      expect([await whysOf(unknown), await told(unknown), await payoutsOf(unknown)]).toEqual([
        [['unidentified', 4500]],
        ['unidentified'],
        [],
      ])
    })

    test('of a creator who leaves is the task of those who left instead', async () => {
      const creator = await soldOnce(world, 5000)
      await months(6)
      expect(await whysOf(creator)).toEqual([['no_account', 4500]])
      await leave(world, creator)
      world.clock.now += LEAVING_MS
      await deleteDue(world)
      await sweepPayouts(world.deps)
      expect(await tasksOf(creator)).toEqual([])
      const cleared = await rowsOf(
        world,
        `select 1 from operator_tasks where kind = 'clear_balance' and details->>'creator' = $1`,
        [creator.id],
      )
      expect(cleared).toHaveLength(1)
    })

    test('is shown with its task to staff, who cannot close it by hand', async () => {
      const creator = await soldOnce(world, 5000)
      await months(6)
      admin = await operator(world)
      await validate(world, admin)
      const { id } = defined((await tasksOf(creator))[0])
      const reply = await call(world, admin, 'POST', `/admin/tasks/${id}/close`, {})
      expect(errorOf(reply).code).toBe('conflict')
    })
  })
})
