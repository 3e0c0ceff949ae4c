// Money of deleted accounts: the last payout, tasks, and what stays stored.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { newId } from '#contract/ids.ts'
import type { StrandedBalance } from '#contract/payouts/balances.ts'
import { defined } from '#contract/testing/defined.ts'
import { monthAfter, monthOf } from '#server/rules/money/periods.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { ledgerOf, pricedPost, rowsOf } from '#server/testing/payments/shop.ts'
import { closeAt, inTokyo, salesOf } from '#server/testing/payments/sold.ts'
import {
  approve,
  decide,
  listed,
  makeFile,
  operator,
  overviewOf,
  payoutIn,
  request,
  settle,
  soldLastMonth,
  soldOnce,
  storeAccount,
} from '#server/testing/payouts/payouts.ts'
import { deleteDue, eraseLeftovers, leave } from '#server/testing/people/leaving.ts'
import { call, errorOf, identify, type Member, type Reply, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepPayouts } from './sweep.ts'

interface Task {
  readonly kind: string
  readonly why: string
  readonly amount: number | null
  readonly creator: { readonly id: string } | null
  readonly id: string
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the money of a creator who leaves', () => {
    let world: World
    let admin: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      world.clock.now = inTokyo('2026-11-01T12:00')
    })
    afterAll(() => world.close())

    /** A creator who sold posts of these prices on the next 20th of a month, which is open. */
    async function seller(...prices: number[]): Promise<Member> {
      const { clock } = world
      const month = monthOf(clock.now)
      const isPast = clock.now > inTokyo(`${month}-20T12:00`)
      clock.now = inTokyo(`${isPast ? monthAfter(month) : month}-20T12:00`)
      admin = await operator(world)
      const creator = await identify(world, await signUp(world))
      for (const price of prices)
        await buy(world, await signUp(world), await pricedPost(world, creator, price), price)
      return creator
    }
    /** Leaves, and is erased seven days later. */
    async function erased(creator: Member): Promise<void> {
      await leave(world, creator)
      world.clock.now += LEAVING_MS
      await deleteDue(world)
    }
    const toNextMonth = async () => {
      await closeAt(world, `${monthAfter(monthOf(world.clock.now))}-01T01:30`)
      await sweepPayouts(world.deps)
      admin = await operator(world)
    }
    const payoutsOf = (creator: Member) =>
      rowsOf<{ id: string; state: string; amount: number; fee: number }>(
        world,
        'select id, state, amount::int as amount, fee from payouts where creator_id = $1 order by number',
        [creator.id],
      )
    const accountsOf = async (creator: Member) =>
      (await rowsOf(world, 'select 1 from bank_accounts where user_id = $1', [creator.id])).length +
      (await rowsOf(world, 'select 1 from departed_payees where user_id = $1', [creator.id])).length
    const taskOf = async (creator: Member) =>
      (await call(world, admin, 'GET', '/admin/tasks'))
        .json<{ tasks: Task[] }>()
        .tasks.find((it) => it.creator?.id === creator.id)
    const whyOf = async (creator: Member) => {
      const task = await taskOf(creator)
      return task && [task.kind, task.why, task.amount]
    }
    const payableOf = async (creator: Member) => {
      const [row] = await rowsOf<{ sum: number }>(
        world,
        `select coalesce(-sum(amount), 0)::int as sum from ledger_lines
          where account = 'creator_payable' and creator_id = $1`,
        [creator.id],
      )
      return row?.sum
    }
    const balanceIn = async (creator: Member) => {
      const found: StrandedBalance[] = []
      for (let cursor = ''; ;) {
        const page = (await call(world, admin, 'GET', `/admin/balances${cursor}`)).json<{
          balances: StrandedBalance[]
          next: string | null
        }>()
        found.push(...page.balances)
        if (page.next === null) return found.find((it) => it.creator.id === creator.id)
        cursor = `?cursor=${page.next}`
      }
    }
    const clear = (creator: Member, body: object, as = admin): Promise<Reply> =>
      call(world, as, 'POST', `/admin/balances/${creator.id}/clearings`, {
        id: newId(),
        reason: '銀行の画面で確認しました。',
        ...body,
      })
    const release = (creator: Member) => call(world, admin, 'POST', `/admin/balances/${creator.id}/payout`)
    const contact = (creator: Member) => call(world, admin, 'POST', `/admin/balances/${creator.id}/contact`)
    /** Pays the creator's open payout by a file. */
    async function paidOut(creator: Member, body: object = { is: 'paid' }): Promise<void> {
      const payout = defined((await payoutsOf(creator)).findLast((it) => it.state === 'requested'))
      expect((await approve(world, admin, payout.id)).json()).toEqual({ changed: [payout.id] })
      expect((await makeFile(world, await operator(world))).statusCode).toBe(200)
      expect((await settle(world, admin, payout.id, body)).statusCode).toBe(200)
    }

    test('of the open month is requested whole, without a fee, on the first day of the next month, and paid', async () => {
      const creator = await seller(3000, 4000)
      await storeAccount(world, creator)
      await erased(creator)
      await sweepPayouts(world.deps)
      expect([await payoutsOf(creator), await taskOf(creator)]).toEqual([[], undefined])
      await toNextMonth()
      expect(await payoutsOf(creator)).toMatchObject([{ state: 'requested', amount: 6300, fee: 0 }])
      expect(await payoutIn(world, admin, 'open', creator)).toMatchObject({
        creator_state: 'gone',
        single_only: true,
        stop: null,
      })
      await paidOut(creator)
      expect([await payableOf(creator), await taskOf(creator)]).toEqual([0, undefined])
      await sweepPayouts(world.deps)
      expect(await accountsOf(creator)).toBe(0)
    })

    test('of closed months is requested at once, also when payouts are not automatic, and below the minimum', async () => {
      const creator = await soldOnce(world, 300)
      await storeAccount(world, creator)
      await call(world, creator, 'PUT', '/payouts/automatic', { automatic: false })
      await sweepPayouts(world.deps)
      await leave(world, creator)
      await sweepPayouts(world.deps)
      expect(await payoutsOf(creator)).toEqual([])
      world.clock.now += LEAVING_MS
      await deleteDue(world)
      await sweepPayouts(world.deps)
      expect(await payoutsOf(creator)).toMatchObject([{ state: 'requested', amount: 270, fee: 0 }])
    })

    test('stays theirs with all that they had set, when they take the deletion back on the last day', async () => {
      const creator = await soldOnce(world, 5000)
      await storeAccount(world, creator)
      await call(world, creator, 'PUT', '/payouts/automatic', { automatic: false })
      const before = [await overviewOf(world, creator), (await salesOf(world, creator)).balance]
      const account = (await call(world, creator, 'GET', '/payouts/bank-account')).json()
      await leave(world, creator)
      world.clock.now += LEAVING_MS - 3600_000
      await sweepPayouts(world.deps)
      await deleteDue(world)
      expect((await call(world, creator, 'DELETE', '/user/deletion')).statusCode).toBe(200)
      await deleteDue(world)
      await sweepPayouts(world.deps)
      expect([await overviewOf(world, creator), (await salesOf(world, creator)).balance]).toEqual(before)
      expect((await call(world, creator, 'GET', '/payouts/bank-account')).json()).toEqual(account)
      expect(await accountsOf(creator)).toBe(1)
      expect((await request(world, creator)).statusCode).toBe(200)
    })

    test('keeps the sealed account, address and legal name until nothing is owed, also through the sweep of leftovers', async () => {
      const creator = await seller(2000)
      await storeAccount(world, creator)
      const sealed = () =>
        rowsOf<{ account: string; contact: string }>(
          world,
          `select b.sealed as account, d.sealed as contact from bank_accounts b join departed_payees d using (user_id)
            where b.user_id = $1`,
          [creator.id],
        )
      await erased(creator)
      const [kept] = await sealed()
      for (const text of Object.values(defined(kept))) {
        expect(text).not.toBe('')
        expect(text).not.toContain(creator.email)
      }
      await eraseLeftovers(world)
      // As the version before does it in each sweep.
      await rowsOf(world, 'delete from bank_accounts where user_id = $1', [creator.id])
      expect(await sealed()).toEqual([kept])
      await toNextMonth()
      await paidOut(creator)
      await sweepPayouts(world.deps)
      expect(await accountsOf(creator)).toBe(0)
    })

    test('is not there: nothing stays stored', async () => {
      const creator = await seller()
      await storeAccount(world, creator)
      await erased(creator)
      expect(await accountsOf(creator)).toBe(0)
    })

    test('without a bank account is a task at once, closed by recording the transfer that was made by hand', async () => {
      const creator = await seller(1000)
      await erased(creator)
      await sweepPayouts(world.deps)
      await sweepPayouts(world.deps)
      expect(await whyOf(creator)).toEqual(['clear_balance', 'no_account', 900])
      const task = defined(await taskOf(creator))
      admin = await operator(world)
      expect(errorOf(await call(world, admin, 'POST', `/admin/tasks/${task.id}/close`, {})).code).toBe(
        'conflict',
      )
      admin = await operator(world)
      expect((await contact(creator)).json()).toMatchObject({ email: creator.email })
      const before = (await ledgerOf(world))['bank'] ?? 0
      for (const [wrong, code] of [
        [{ is: 'paid', amount: 901, total: 900 }, 'conflict'],
        [{ is: 'paid', amount: 900, total: 800 }, 'conflict'],
        [{ is: 'repaid', amount: 900, total: 900 }, 'conflict'],
        [{ is: 'borne', amount: 900, total: 900 }, 'conflict'],
        [{ is: 'paid', amount: 0, total: 900 }, 'invalid'],
        [{ is: 'paid', amount: 900, total: 900, reason: ' ' }, 'invalid'],
      ] as const)
        expect([wrong, errorOf(await clear(creator, wrong)).code]).toEqual([wrong, code])
      expect((await clear(creator, { is: 'paid', amount: 400, total: 900 })).json()).toMatchObject({
        total: 500,
      })
      expect(await whyOf(creator)).toEqual(['clear_balance', 'no_account', 500])
      const last = { id: newId(), is: 'paid', amount: 500, total: 500 }
      for (const _ of [1, 2]) expect((await clear(creator, last)).json()).toMatchObject({ total: 0 })
      expect([await taskOf(creator), await accountsOf(creator), await balanceIn(creator)]).toEqual([
        undefined,
        0,
        undefined,
      ])
      expect((await ledgerOf(world))['bank']).toBe(before - 900)
      expect(
        await rowsOf(
          world,
          `select act, detail->>'kind' as kind, (detail->>'amount')::int as amount from audit_log
          where subject_id = $1 and act like 'balance.%' order by seq`,
          [creator.id],
        ),
      ).toEqual([
        { act: 'balance.contact', kind: null, amount: null },
        { act: 'balance.clear', kind: 'paid', amount: 400 },
        { act: 'balance.clear', kind: 'paid', amount: 500 },
      ])
    })

    test('of a suspended account is a task; an admin can have it requested', async () => {
      const creator = await seller(3000)
      await storeAccount(world, creator)
      await leave(world, creator)
      await rowsOf(world, 'update users set suspended_at = now() where id = $1', [creator.id])
      world.clock.now += LEAVING_MS
      await deleteDue(world)
      await toNextMonth()
      expect([await payoutsOf(creator), await whyOf(creator)]).toEqual([
        [],
        ['clear_balance', 'suspended', 2700],
      ])
      expect(await balanceIn(creator)).toMatchObject({ reasons: ['left', 'suspended'], can_request: true })
      expect((await release(creator)).statusCode).toBe(200)
      expect(await payoutsOf(creator)).toMatchObject([{ state: 'requested', amount: 2700, fee: 0 }])
      expect(await taskOf(creator)).toBeUndefined()
      expect(errorOf(await release(creator)).code).toBe('conflict')
      expect(
        await rowsOf(
          world,
          `select act, detail from audit_log where subject_id = $1 and act = 'balance.request'`,
          [creator.id],
        ),
      ).toEqual([{ act: 'balance.request', detail: { total: 2700 } }])
    })

    test('whose payout came back is a task until it is requested again or paid by hand', async () => {
      const creator = await seller(3000)
      await storeAccount(world, creator)
      await erased(creator)
      await toNextMonth()
      await paidOut(creator, { is: 'returned', reason: '口座がありません。', keeps_fee: false })
      world.clock.now += 3600_000
      await sweepPayouts(world.deps)
      expect(await whyOf(creator)).toEqual(['clear_balance', 'returned', 2700])
      expect(await accountsOf(creator)).toBe(2)
      admin = await operator(world)
      expect((await release(creator)).statusCode).toBe(200)
      await paidOut(creator)
      await sweepPayouts(world.deps)
      expect([await payableOf(creator), await taskOf(creator), await accountsOf(creator)]).toEqual([
        0,
        undefined,
        0,
      ])
    })

    test('whose last payout an admin cancelled is a task, and not requested each hour again', async () => {
      const creator = await seller(3000)
      await storeAccount(world, creator)
      await erased(creator)
      await toNextMonth()
      const [payout] = await payoutsOf(creator)
      await decide(world, admin, defined(payout).id, { is: 'cancel', reason: '確認のため' })
      world.clock.now += 3600_000
      await sweepPayouts(world.deps)
      expect(await payoutsOf(creator)).toHaveLength(1)
      expect(await whyOf(creator)).toEqual(['clear_balance', 'cancelled', 2700])
    })

    test('that is owed to the platform is a task, closed by what the person repaid or the platform bears', async () => {
      const [one, other] = [await seller(1000), await seller(1000)]
      for (const creator of [one, other]) await storeAccount(world, creator)
      for (const creator of [one, other]) await leave(world, creator)
      world.clock.now += LEAVING_MS
      await deleteDue(world)
      await toNextMonth()
      for (const creator of [one, other]) {
        await paidOut(creator)
        const [payment] = await rowsOf<{ id: string }>(
          world,
          'select id from payments where creator_id = $1',
          [creator.id],
        )
        await refundPayment(world.deps, defined(payment).id, { actorId: admin.id, ip: '' })
      }
      await sweepPayouts(world.deps)
      admin = await operator(world)
      expect(await whyOf(one)).toEqual(['clear_balance', 'negative', -900])
      expect(await balanceIn(one)).toMatchObject({
        total: -900,
        reasons: ['left', 'negative'],
        can_request: false,
      })
      expect(errorOf(await release(one)).code).toBe('conflict')
      expect(errorOf(await clear(one, { is: 'paid', amount: 1, total: -900 })).code).toBe('conflict')
      expect((await clear(one, { is: 'repaid', amount: 900, total: -900 })).json()).toMatchObject({
        total: 0,
      })
      expect((await clear(other, { is: 'borne', amount: 900, total: -900 })).json()).toMatchObject({
        total: 0,
      })
      expect([await taskOf(one), await taskOf(other)]).toEqual([undefined, undefined])
    })
  })

  describe.skipIf(!available)('the list of balances that are not paid by themselves', () => {
    let world: World
    let admin: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      world.clock.now = inTokyo('2026-11-01T12:00')
    })
    afterAll(() => world.close())
    const page = async (query = '') =>
      (await call(world, admin, 'GET', `/admin/balances${query}`)).json<{
        balances: StrandedBalance[]
        next: string | null
      }>()

    test('has each reason with its amount, the largest first, and leaves out those that will be paid', async () => {
      const [paid, without, suspended] = (await soldLastMonth(world, [9000], [8000], [7000])) as [
        Member,
        Member,
        Member,
      ]
      for (const it of [paid, suspended]) await storeAccount(world, it)
      await rowsOf(world, 'update users set suspended_at = now() where id = $1', [suspended.id])
      admin = await operator(world)
      expect((await page()).balances).toMatchObject([
        { creator: { id: without.id }, total: 7200, old: 0, reasons: ['no_account'], can_clear: false },
        {
          creator: { id: suspended.id },
          total: 6300,
          reasons: ['suspended'],
          can_clear: true,
          has_contact: false,
        },
      ])
      await call(world, paid, 'PUT', '/payouts/automatic', { automatic: false })
      for (let month = 3; month <= 9; month += 1) await closeAt(world, `2027-0${month}-01T01:30`)
      admin = await operator(world)
      const { balances: later } = await page()
      expect(later.map((it) => [it.total, it.old, it.reasons])).toEqual([
        [8100, 8100, ['old']],
        [7200, 7200, ['no_account', 'old']],
        [6300, 6300, ['suspended', 'old']],
      ])
      await request(world, paid)
      expect((await page()).balances).toHaveLength(2)
    })

    test('has pages, and refuses a place that no page has sent', async () => {
      const id = () => newId()
      for (let n = 0; n < 52; n += 1) {
        const creator = await signUp(world)
        await rowsOf(
          world,
          `with e as (insert into payouts (id, creator_id, month, is_automatic, state, amount, fee, due_on, requested_at)
             values ($1, $2, '2026-01', false, 'paid', 10, 0, '2026-01-31', now()) returning id),
           l as (insert into ledger_entries (id, at, cause, creator_id, payout_id) select $3, now(), 'payout', $2, id from e returning id)
           insert into ledger_lines (id, entry_id, account, creator_id, amount)
           select x.id::uuid, l.id, x.account, $2::uuid, x.amount from l,
             (values ($4, 'creator_payable', -5), ($5, 'bank', 5)) as x(id, account, amount)`,
          [id(), creator.id, id(), id(), id()],
        )
      }
      const first = await page()
      expect(first.balances).toHaveLength(50)
      const second = await page(`?cursor=${first.next}`)
      const ids = [...first.balances, ...second.balances].map((it) => it.creator.id)
      expect([new Set(ids).size, second.next]).toEqual([54, null])
      for (const cursor of ['x', '5_x', `5_${newId()}_1`])
        expect(errorOf(await call(world, admin, 'GET', `/admin/balances?cursor=${cursor}`)).code).toBe(
          'invalid',
        )
    })

    test('is for staff who handle money; acts need a proven password and an account that is deleted or suspended', async () => {
      const person = await signUp(world)
      expect((await call(world, person, 'GET', '/admin/balances')).statusCode).toBe(404)
      await rowsOf(world, `update users set role = 'moderator' where id = $1`, [person.id])
      expect((await call(world, person, 'GET', '/admin/balances')).statusCode).toBe(404)
      const of = `/admin/balances/${person.id}`
      const body = { id: newId(), is: 'paid', amount: 1, total: 1, reason: 'a' }
      const acts = [[`${of}/contact`], [`${of}/payout`], [`${of}/clearings`, body]] as const
      for (const [path, sent] of acts)
        expect(errorOf(await call(world, admin, 'POST', path, sent)).code).toBe('not_found')
      world.clock.now += 11 * 60_000
      for (const [path, sent] of acts)
        expect(errorOf(await call(world, admin, 'POST', path, sent)).code).toBe('validation_required')
      await listed(world, admin, 'open')
    })
  })
})
