// Payouts are approved as a list has shown them (decision 120).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { rowsOf } from '#server/testing/payments/shop.ts'
import { inTokyo } from '#server/testing/payments/sold.ts'
import {
  approveUnread,
  listed,
  listOpen,
  operator,
  payoutIn,
  requested,
  setNameCheck,
  soldLastMonth,
  storeAccount,
} from '#server/testing/payouts/payouts.ts'
import { setNameOf } from '#server/testing/people/identity.ts'
import { leave, validate } from '#server/testing/people/leaving.ts'
import { errorOf, type Member } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('an approval', () => {
    let world: World
    let [creator, other, one, two]: Member[] = []
    let ids: string[]
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      world.clock.now = inTokyo('2026-11-01T12:00')
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      await rowsOf(world, `update payouts set state = 'cancelled'`)
      ;[creator, other] = await soldLastMonth(world, [10_000], [5000])
      ids = []
      for (const it of [creator, other]) ids.push(await requested(world, it as Member))
      ;[one, two] = [await operator(world), await operator(world)]
    })
    const people = () => [creator, other, one, two] as [Member, Member, Member, Member]
    const first = () => defined(ids[0])
    const approve = async (as: Member, ...of: string[]) => {
      const reply = await approveUnread(world, as, ...of)
      return reply.statusCode === 200 ? reply.json().changed : errorOf(reply).code
    }

    test('is refused before a list has shown the payout to this admin, and of several none is approved', async () => {
      const [, , admin, colleague] = people()
      await listOpen(world, colleague)
      await listed(world, admin, 'approved')
      expect(await approve(admin, first())).toBe('unseen')
      await listOpen(world, admin)
      world.clock.now += 1000
      const since = new Date(world.clock.now).toISOString()
      await rowsOf(world, 'update payouts set requested_at = $2 where id = $1', [ids[1], since])
      for (const it of [creator, other]) await setNameCheck(world, it as Member, 'same')
      expect(await approve(admin, ...ids), 'one was requested since').toBe('unseen')
      expect((await listed(world, colleague, 'open')).count, 'nothing was approved').toBe(2)
      await listOpen(world, admin)
      expect((await approve(admin, ...ids)).toSorted()).toEqual(ids.toSorted())
    })

    test.each([
      [
        'another account',
        async (it: Member) => {
          await storeAccount(world, it, '7654321')
          // After the time for which a changed account is held.
          world.clock.now += 4 * DAY
        },
      ],
      ['another name', async (it: Member) => void (await setNameOf(world, it))],
      [
        'a suspension',
        async (it: Member) =>
          void (await rowsOf(world, 'update users set suspended_at = $2 where id = $1', [
            it.id,
            new Date(world.clock.now).toISOString(),
          ])),
      ],
      ['the request of a deletion', async (it: Member) => void (await leave(world, it))],
    ])('is refused after %s, until the list was read again', async (_, change) => {
      const [by, , admin] = people()
      await listOpen(world, admin)
      world.clock.now += 1000
      await change(by)
      await validate(world, admin)
      expect(await approve(admin, first())).toBe('unseen')
      await listOpen(world, admin)
      expect(await approve(admin, first())).toEqual([first()])
    })

    test('has holder and registered name beside each other where they are not the same', async () => {
      const [by, , admin] = people()
      const names = async (list = 'open') => (await payoutIn(world, admin, list, by))?.names
      expect(await names()).toEqual({ holder: 'ヤマダ　ハナコ', legal_name: '', legal_name_kana: '' })
      const name = { legal_name: '届 花子', legal_name_kana: 'トドケ　ハナコ' }
      await setNameOf(world, by, name)
      expect(await names()).toEqual({ holder: 'ヤマダ　ハナコ', ...name })
      await setNameCheck(world, by, 'same')
      expect(await names(), 'nothing to compare').toBeNull()
      await setNameCheck(world, by, 'differs')
      await rowsOf(world, `update payouts set state = 'paid' where id = $1`, [first()])
      expect(await names('done'), 'decided').toBeNull()
    })
  })
})
