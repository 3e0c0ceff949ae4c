// Reconciliation with the provider's list, the operator's tasks, and refunds by admins.
import { runRefunds } from '#server/testing/payments/bookings.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { OperatorTaskView } from '#contract/payments/operator-tasks.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { reconcile } from '#server/services/billing/reconcile.ts'
import { behave, begun, ledgerOf, openShop, pay, type Shop } from '#server/testing/payments/shop.ts'
import { admin, audited } from '#server/testing/people/identity.ts'
import { refund } from '#server/testing/adjustments/adjustments.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, onHosted, openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('reconciliation', () => {
    let world: World
    let shop: Shop
    let operator: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind, listen: true })
      operator = await admin(world)
      return () => world.close()
    })
    beforeEach(async () => {
      shop = await openShop(world)
      await behave(world)
    })

    const sql = (text: string, values: unknown[] = []) => world.database.executeSql(text, values)
    const isOpen = async () =>
      (await call(world, shop.buyer, 'GET', `/posts/${shop.postId}`)).json<PostView>().access.is === 'full'
    /** Pays for the post. @returns the payment's id */
    async function paid(): Promise<string> {
      const { id, fields } = await begun(world, shop.buyer, shop.postId)
      await pay(world, fields)
      return id
    }
    const tasksOf = async (paymentId: string | null) => {
      const { tasks } = (await call(world, operator, 'GET', '/admin/tasks')).json<{
        tasks: OperatorTaskView[]
      }>()
      return tasks.filter((it) => (it.payment?.id ?? null) === paymentId)
    }
    const kindsOf = async (paymentId: string | null) =>
      (await tasksOf(paymentId)).map((it) => `${it.kind} ${it.why}`.trim())
    const differences = async () => (await reconcile(world.deps))?.differences

    test('applies a charge whose notice was lost, once', async () => {
      await behave(world, { lose: true })
      const id = await paid()
      expect(await isOpen()).toBe(false)
      const before = await ledgerOf(world)
      expect(await reconcile(world.deps)).toMatchObject({ applied: 1, differences: 0 })
      expect(await isOpen()).toBe(true)
      expect((await ledgerOf(world))['provider_receivable']).toBe((before['provider_receivable'] ?? 0) + 500)
      expect(await reconcile(world.deps)).toMatchObject({ applied: 0, differences: 0 })
      expect(await kindsOf(id)).toEqual([])
    })

    // The hosted sandbox has no such list.
    test.skipIf(onHosted)(
      'a list that an admin downloaded applies lost charges, and shows those that it lacks',
      async () => {
        const compare = (as: Member | null, text: string) =>
          call(world, as, 'POST', '/admin/reconciliation', { text })
        const rowOf = (gid: string, id: string, at: number) =>
          `${gid},${id},500,成功,${new Date(at + 9 * 3600_000).toISOString().slice(0, 19).replace('T', ' ')}`
        const head = '決済番号,店舗オーダー番号,合計金額,決済結果,決済日時'
        const missing = await paid()
        await behave(world, { lose: true })
        shop = await openShop(world)
        const lost = await paid()
        const around = [world.clock.now - 3 * DAY, world.clock.now + 3 * DAY]
        const rows = around.map((at, n) => rowOf(`n-${n}`, newId(), at))
        const { charges } = (await call(world, null, 'GET', '/payment-sandbox/control')).json()
        const gid = charges.find((it: { paymentId: string }) => it.paymentId === lost).chargeRef
        const text = [head, ...rows, rowOf(gid, lost, world.clock.now)].join('\n')
        expect(errorOf(await compare(shop.buyer, text)).code).toBe('not_found')
        expect(errorOf(await compare(operator, `${text}\nx,y`)).fields).toEqual({ text: 'malformed' })
        expect(await isOpen()).toBe(false)
        const { listed, applied } = (await compare(operator, text)).json()
        expect([listed, applied, await isOpen()]).toEqual([3, 1, true])
        expect(await kindsOf(missing)).toEqual(['difference missing_there'])
        expect((await compare(operator, text)).json()).toMatchObject({ applied: 0 })
        expect((await audited(world)).map((it) => it.act)).toContain('reconcile')
      },
    )

    test('returns a charge of another amount than was confirmed, and opens nothing', async () => {
      await behave(world, { lose: true })
      const id = await paid()
      await sql('update sandbox_charges set amount = 1 where payment_id = $1', [id])
      const before = await ledgerOf(world)
      expect(await reconcile(world.deps)).toMatchObject({ applied: 1, differences: 0 })
      const surplus = async () =>
        (await call(world, shop.buyer, 'GET', `/payments/${id}`)).json<{ surplus: object[] }>().surplus
      expect(await surplus()).toMatchObject([{ amount: 1, reason: 'changed', returned_at: null }])
      await runRefunds(world)
      expect(await surplus()).toMatchObject([{ amount: 1, returned_at: expect.any(String) }])
      expect([await ledgerOf(world), await isOpen(), await kindsOf(id)]).toEqual([before, false, []])
    })

    test('of two servers at once applies a lost charge once', async () => {
      await behave(world, { lose: true })
      await paid()
      const all = await Promise.all(Array.from({ length: 5 }, () => reconcile(world.deps)))
      expect(all.map((it) => it?.applied).toSorted()).toEqual([0, 0, 0, 0, 1])
    })

    test('that fails for one charge applies the others, and says so at the end', async () => {
      await behave(world, { lose: true })
      const broken = await paid()
      shop = await openShop(world)
      await paid()
      await sql(`create function refuse_charge() returns trigger language plpgsql as $$ begin
        if new.payment_id = '${broken}' then raise exception 'refused'; end if;
        return new;
      end $$`)
      await sql(
        'create trigger refuse_charge before insert on charges for each row execute function refuse_charge()',
      )
      try {
        await expect(reconcile(world.deps)).rejects.toThrow('charges could not be compared')
      } finally {
        await sql('drop function refuse_charge cascade')
      }
      expect(await isOpen()).toBe(true)
      expect(await reconcile(world.deps)).toMatchObject({ applied: 1 })
    })

    test('makes one task of each difference, however often it runs', async () => {
      const id = await paid()
      await sql('update sandbox_charges set amount = 501 where payment_id = $1', [id])
      expect(await differences()).toBeGreaterThanOrEqual(1)
      await reconcile(world.deps)
      expect(await kindsOf(id)).toEqual(['difference amount'])
      await sql('update sandbox_charges set amount = 500 where payment_id = $1', [id])
    })

    test('reports money that the provider has returned, and a charge that its list lacks', async () => {
      const id = await paid()
      await sql(`update sandbox_charges set state = 'refunded', refunded = amount where payment_id = $1`, [
        id,
      ])
      await reconcile(world.deps)
      expect(await kindsOf(id)).toEqual(['difference refunded_there'])
      expect(await isOpen()).toBe(true)
      await sql(`update sandbox_charges set state = 'cancelled' where payment_id = $1`, [id])
      await reconcile(world.deps)
      expect(await kindsOf(id)).toEqual(['difference refunded_there'])
      world.clock.now += DAY + 1
      await reconcile(world.deps)
      expect((await kindsOf(id)).toSorted()).toEqual([
        'difference missing_there',
        'difference refunded_there',
      ])
      await sql(`update sandbox_charges set state = 'paid', refunded = 0 where payment_id = $1`, [id])
    })

    test('reports a charge of an unknown payment', async () => {
      const id = await paid()
      await sql('update sandbox_charges set payment_id = $2 where payment_id = $1', [id, newId()])
      await reconcile(world.deps)
      expect(await kindsOf(null)).toContain('difference unknown_payment')
    })

    test('a task about a refund that was made by hand is closed once, and the ledger has the money', async () => {
      const id = await paid()
      await validate(world, operator)
      const whole = { amount: 500, left: 500 }
      expect((await refund(world, operator, id, whole)).statusCode).toBe(200)
      expect(await isOpen()).toBe(false)
      const again = await refund(world, operator, id, whole)
      expect(errorOf(again).code).toBe('conflict')
      const [task] = await tasksOf(id)
      expect(task).toMatchObject({
        kind: 'refund',
        amount: 500,
        payment: { state: 'refunded', buyer: { id: shop.buyer.id }, creator: { id: shop.creator.id } },
      })
      // An account with the balance 0 is not listed.
      const owedNow = async () => (await ledgerOf(world))['refunds'] ?? 0
      const owed = await owedNow()
      const close = () => call(world, operator, 'POST', `/admin/tasks/${task?.id}/close`, {})
      expect((await close()).statusCode).toBe(200)
      expect(await owedNow()).toBe(owed + 500)
      expect(errorOf(await close()).code).toBe('not_found')
      const acts = (await audited(world)).filter((it) => [id, task?.id].includes(it.subject))
      expect(acts.map((it) => [it.act, it.actor])).toEqual([
        ['refund', operator.id],
        ['task.close', operator.id],
      ])
    })

    test('others than admins find no tasks and no refund', async () => {
      const id = await paid()
      const member = await signUp(world)
      for (const as of [member, shop.buyer, shop.creator])
        for (const reply of [
          await call(world, as, 'GET', '/admin/tasks'),
          await call(world, as, 'POST', `/admin/tasks/${newId()}/close`, {}),
          await refund(world, as, id, { amount: 500, left: 500 }),
        ])
          expect(reply.statusCode).toBe(404)
      expect(await isOpen()).toBe(true)
      const unknown = await refund(world, operator, newId(), { amount: 500, left: 500 })
      expect(errorOf(unknown).code).toBe('not_found')
    })
  })
})
