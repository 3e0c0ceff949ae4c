// Approvals that need care: an admin's own payout, other names, suspended and leaving creators.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { rowsOf } from '#server/testing/payments/shop.ts'
import { inTokyo } from '#server/testing/payments/sold.ts'
import {
  approve,
  decide,
  makeFile,
  operator,
  payoutIn,
  readFile,
  requested,
  sendResults,
  setNameCheck,
  settle,
  soldLastMonth,
  voidFile,
  withResult,
} from '#server/testing/payouts/payouts.ts'
import { leave, validate } from '#server/testing/people/leaving.ts'
import { errorOf, type Member, type Reply } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('approving payouts', () => {
    let world: World
    let [one, two, mia, ken]: Member[] = []
    let [own, other] = ['', '']
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      world.clock.now = inTokyo('2026-11-01T12:00')
    })
    afterAll(() => world.close())
    /** The first creator is an admin, with two others. */
    beforeEach(async () => {
      await rowsOf(world, `update payouts set state = 'cancelled'`)
      await rowsOf(world, `update users set role = 'member'`)
      ;[mia, ken] = await soldLastMonth(world, [10_000], [5000])
      ;[own, other] = [await requested(world, seller()), await requested(world, ken as Member)]
      await setNameCheck(world, seller(), 'same')
      await setNameCheck(world, ken as Member, 'same')
      one = await operator(world)
      two = await operator(world)
      await rowsOf(world, `update users set role = 'admin' where id = $1`, [seller().id])
      await validate(world, seller())
    })
    const seller = () => mia as Member
    const first = () => one as Member
    const second = () => two as Member
    const stateOf = async (id: string) =>
      (await rowsOf<{ state: string }>(world, 'select state from payouts where id = $1', [id]))[0]?.state
    const refused = (reply: Reply) => [reply.statusCode, errorOf(reply).code]
    const FORBIDDEN = [403, 'forbidden']

    test('an admin cannot approve, release or settle their own payout', async () => {
      expect(await payoutIn(world, seller(), 'open', seller())).toMatchObject({ stop: 'own' })
      expect(refused(await approve(world, seller(), own))).toEqual(FORBIDDEN)
      expect((await approve(world, seller(), own, other)).json()).toEqual({ changed: [other] })
      await decide(world, first(), own, { is: 'hold', reason: 'x' })
      expect(refused(await decide(world, seller(), own, { is: 'release' }))).toEqual(FORBIDDEN)
      await decide(world, first(), own, { is: 'release' })
      await approve(world, first(), own)
      await makeFile(world, second())
      expect(await stateOf(own)).toBe('exported')
      for (const body of [{ is: 'paid' }, { is: 'returned', reason: 'x', keeps_fee: false }])
        expect(refused(await settle(world, seller(), own, body))).toEqual(FORBIDDEN)
      expect(await stateOf(own)).toBe('exported')
    })

    test('an admin’s own payout is not in their file, nor voided or settled by a file of theirs', async () => {
      await approve(world, first(), own, other)
      const made = (await makeFile(world, seller())).json()
      expect(made).toMatchObject({ count: 1, left_out: [{ why: 'own' }] })
      expect(await stateOf(own)).toBe('approved')
      const exportId = newId()
      await makeFile(world, second(), exportId)
      expect(refused(await voidFile(world, seller(), exportId))).toEqual(FORBIDDEN)
      const file = withResult((await readFile(world, second(), exportId)).rawPayload, '0')
      expect(refused(await sendResults(world, seller(), file))).toEqual(FORBIDDEN)
      expect(await stateOf(own)).toBe('exported')
      expect((await sendResults(world, second(), file)).json()).toMatchObject({ paid: 1 })
    })

    test('the only admin who can act pays themselves, which the audit log shows', async () => {
      await rowsOf(world, `update users set role = 'member' where id = $1`, [first().id])
      await rowsOf(world, `update users set suspended_at = now() where id = $1`, [second().id])
      expect((await approve(world, seller(), own)).json()).toEqual({ changed: [own] })
      expect((await makeFile(world, seller())).json()).toMatchObject({ count: 1, left_out: [] })
      expect((await settle(world, seller(), own, { is: 'paid' })).statusCode).toBe(200)
      const log = await rowsOf<{ act: string; own: boolean }>(
        world,
        `select act, (detail->>'own')::boolean as own from audit_log where subject_id = $1 order by seq`,
        [own],
      )
      expect(log.map((it) => [it.act, it.own])).toEqual([
        ['payout.approve', true],
        ['payout.export', true],
        ['payout.pay', true],
      ])
    })

    test.each([['differs'], ['unknown']])(
      'together leaves a payout whose holder %s from the verified name for an approval by itself',
      async (check) => {
        await setNameCheck(world, ken as Member, check)
        expect(await payoutIn(world, first(), 'open', ken as Member)).toMatchObject({
          single_only: true,
          stop: null,
        })
        expect((await approve(world, first(), own, other)).json()).toEqual({ changed: [own] })
        expect((await approve(world, first(), other)).json()).toEqual({ changed: [other] })
      },
    )

    test('together leaves those of suspended and leaving creators, which are marked', async () => {
      await rowsOf(world, 'update users set suspended_at = now() where id = $1', [seller().id])
      await leave(world, ken as Member)
      const found = [
        await payoutIn(world, first(), 'open', seller()),
        await payoutIn(world, first(), 'open', ken as Member),
      ]
      expect(found).toMatchObject([
        { creator_state: 'suspended', single_only: true },
        { creator_state: 'leaving', single_only: true },
      ])
      expect((await approve(world, first(), own, other)).json()).toEqual({ changed: [] })
      expect((await approve(world, first(), own)).json()).toEqual({ changed: [own] })
    })
  })
})
