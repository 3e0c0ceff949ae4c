// Registration that is open, closed, full or by invitation.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { tokenIn } from '#server/testing/people/emails.ts'
import { admin, identify } from '#server/testing/people/identity.ts'
import { call, errorOf, type Member, PASSWORD } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

let n = 0

interface Code {
  readonly id: string
  readonly code: string
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('registration', () => {
    let world: World
    let by: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      by = await admin(world)
    })
    afterAll(() => world.close())
    beforeEach(() => identify(world, by))

    const set = (body: object) => call(world, by, 'POST', '/admin/settings', body)
    const state = async () => (await call(world, null, 'GET', '/auth/registration')).json().state
    const make = async (body: object): Promise<Code[]> =>
      (await call(world, by, 'POST', '/admin/invitations', { count: 1, uses: 1, days: 1, ...body })).json()
        .invitations
    const usedOf = async ({ id }: Code): Promise<number> =>
      (await call(world, by, 'GET', '/admin/invitations'))
        .json()
        .invitations.find((it: { id: string }) => it.id === id).used

    /** Signs up; returns the reply and, for a begun one, how its link is confirmed. */
    async function apply(invite?: string) {
      const email = `invited${++n}@example.com`
      const body = { email, password: PASSWORD, name: '花子', birth_date: '1990-01-01', terms: true }
      const reply = await call(world, null, 'POST', '/auth/sign-up', {
        ...body,
        ...(invite !== undefined && { invite }),
      })
      const token = reply.statusCode === 200 ? await tokenIn(world, email) : ''
      const { claim } = reply.json()
      return { reply, confirm: () => call(world, null, 'POST', '/auth/sign-up/confirm', { token, claim }) }
    }

    test('closed: nothing begins, and a link from before creates no account until it is open again', async () => {
      await set({ registration: 'open' })
      const before = await apply()
      await set({ registration: 'closed' })
      expect(await state()).toBe('closed')
      expect(outcomeOf((await apply()).reply)).toBe('sign_up_closed')
      expect(outcomeOf(await before.confirm())).toBe('sign_up_closed')
      await set({ registration: 'open' })
      expect(outcomeOf(await before.confirm())).toBe(200)
    })

    test('by invitation: a code is required, typed as people type, and counted when the account exists', async () => {
      await set({ registration: 'invite' })
      const [code] = await make({ uses: 2 })
      if (!code) throw new Error('no code was made')
      expect(await state()).toBe('invite')
      expect(code.code).toMatch(/^[A-Z][2-9A-Z]{11}$/)
      expect(errorOf((await apply()).reply)).toEqual({ code: 'invalid', fields: { invite: 'required' } })
      expect(errorOf((await apply('ABCD')).reply).fields).toEqual({ invite: 'expired' })
      const typed = `${code.code.slice(0, 4).toLowerCase()} ${code.code.slice(4, 8)}-${code.code.slice(8)}`
      const { confirm, reply } = await apply(typed)
      expect([outcomeOf(reply), await usedOf(code)]).toEqual([200, 0])
      expect([outcomeOf(await confirm()), await usedOf(code)]).toEqual([200, 1])
      // The same link again is no second use.
      expect([outcomeOf(await confirm()), await usedOf(code)]).toEqual(['link_invalid', 1])
    })

    test('a last use is for one of two people who confirm at once', async () => {
      await set({ registration: 'invite' })
      const [code] = await make({ uses: 1 })
      if (!code) throw new Error('no code was made')
      const both = [await apply(code.code), await apply(code.code)]
      const outcomes = await Promise.all(both.map(async ({ confirm }) => outcomeOf(await confirm())))
      expect(outcomes.map(String).toSorted()).toEqual(['200', 'sign_up_closed'])
      expect(await usedOf(code)).toBe(1)
      expect(errorOf((await apply(code.code)).reply).fields).toEqual({ invite: 'expired' })
    })

    test('a code that is over or revoked is refused, also between sign-up and confirmation', async () => {
      await set({ registration: 'invite' })
      const [over, revoked] = await make({ count: 2 })
      if (!over || !revoked) throw new Error('no codes were made')
      const begun = await apply(revoked.code)
      const revoke = () => call(world, by, 'POST', `/admin/invitations/${revoked.id}/revoke`, {})
      expect([outcomeOf(await revoke()), outcomeOf(await revoke())]).toEqual([200, 200])
      expect(outcomeOf(await begun.confirm())).toBe('sign_up_closed')
      expect(errorOf((await apply(revoked.code)).reply).fields).toEqual({ invite: 'expired' })
      world.clock.now += 24 * 3600_000
      expect(errorOf((await apply(over.code)).reply).fields).toEqual({ invite: 'expired' })
      const { rows } = await world.database.executeSql(
        `select act, detail ->> 'count' as count, detail ->> 'used' as used from audit_log
         where act like 'invitation.%' order by seq desc limit 2`,
      )
      expect(rows).toEqual([
        { act: 'invitation.revoke', count: null, used: '0' },
        { act: 'invitation.add', count: '2', used: null },
      ])
    })

    test('full: as many accounts as a day may have were made in the last 24 hours', async () => {
      await set({ registration: 'open' })
      await (await apply()).confirm()
      await set({ sign_ups_per_day: 1 })
      expect([await state(), outcomeOf((await apply()).reply)]).toEqual(['full', 'rate_limited'])
      world.clock.now += 24 * 3600_000
      expect(await state()).toBe('open')
      await identify(world, by)
      await set({ sign_ups_per_day: null })
    })

    test.each([
      [{ count: 0 }, { count: 'too_small' }],
      [{ count: 101 }, { count: 'too_large' }],
      [{ uses: 1001 }, { uses: 'too_large' }],
      [{ days: 366 }, { days: 'too_large' }],
    ])('codes with %j are not made', async (body, fields) => {
      const reply = await call(world, by, 'POST', '/admin/invitations', {
        count: 1,
        uses: 1,
        days: 1,
        ...body,
      })
      expect(errorOf(reply)).toEqual({ code: 'invalid', fields })
    })
  })
})
