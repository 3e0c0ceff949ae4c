// Another email address, and the ways it must not be had.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAIL_CODE_MS } from '#contract/accounts/mail-code.ts'
import { prove } from '#server/testing/people/leaving.ts'
import { codeIn, emailsTo, tokenIn } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, PASSWORD, type Reply, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

let n = 0
const newAddress = () => `moved${++n}@example.com`
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const said = (reply: Reply) => [reply.statusCode, errorOf(reply)?.code]

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('changing the address', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const ask = (as: Member | null, email: string) => call(world, as, 'POST', '/auth/email', { email })
    const confirm = (as: Member | null, code: string) => call(world, as, 'POST', '/auth/email/code', { code })
    const signIn = async (email: string) =>
      (await call(world, null, 'POST', '/auth/sign-in', { email, password: PASSWORD })).statusCode
    const proven = async () => {
      const member = await signUp(world)
      await prove(world, member)
      return member
    }
    const kinds = async (email: string) => (await emailsTo(world, email)).map((it) => it.is)

    test('sends a code to the new address and a notice to the present one, and changes with the right code', async () => {
      const member = await proven()
      const email = newAddress()
      expect((await ask(member, ` ${email.toUpperCase()}`)).json()).toEqual({ sent: true })
      const code = await codeIn(world, email)
      expect(said(await confirm(member, wrong(code)))).toEqual([422, 'code_wrong'])
      expect(await signIn(email)).toBe(401)
      expect((await confirm(member, code)).json()).toMatchObject({ user: { id: member.id, email } })
      expect([await signIn(email), await signIn(member.email)]).toEqual([200, 401])
      expect((await call(world, member, 'GET', '/auth/session')).json().user.email).toBe(email)
      expect(await emailsTo(world, member.email)).toMatchObject([
        { is: 'change_email_asked', to: 'm•••@example.com' },
        { is: 'email_changed', to: 'm•••@example.com' },
      ])
      expect((await kinds(email)).slice(0, 2)).toEqual(['change_email_code', 'email_changed'])
      expect(said(await confirm(member, code))).toEqual([410, 'code_expired'])
    })

    test('wants the password proven, another address than now, and somebody signed in', async () => {
      const member = await signUp(world)
      expect(said(await ask(member, newAddress()))).toEqual([403, 'validation_required'])
      await prove(world, member)
      expect(errorOf(await ask(member, member.email))).toEqual({
        code: 'invalid',
        fields: { email: 'unchanged' },
      })
      expect(said(await ask(null, newAddress()))).toEqual([401, 'unauthenticated'])
      expect(said(await confirm(null, '123456'))).toEqual([401, 'unauthenticated'])
    })

    test('an address that has an account is answered the same, tries included; its owner is told, and stays its owner', async () => {
      const owner = await signUp(world)
      const [one, other] = [await proven(), await proven()]
      const free = newAddress()
      const [taken, open] = [await ask(one, owner.email), await ask(other, free)]
      expect([taken.statusCode, taken.body]).toEqual([open.statusCode, open.body])
      expect(await kinds(owner.email)).toEqual(['change_email_taken'])
      expect(await kinds(one.email)).toEqual(await kinds(other.email))
      const code = wrong(await codeIn(world, free))
      for (let i = 0; i < 7; i++) {
        const [blocked, missed] = [await confirm(one, code), await confirm(other, code)]
        expect([blocked.statusCode, blocked.body]).toEqual([missed.statusCode, missed.body])
      }
      expect(await signIn(owner.email)).toBe(200)
    })

    test('a code is dead after five wrong tries, after half an hour, and when a newer one was sent', async () => {
      const [tried, late, twice] = [await proven(), await proven(), await proven()]
      const to = [newAddress(), newAddress(), newAddress(), newAddress()] as const
      await ask(tried, to[0])
      const triedCode = await codeIn(world, to[0])
      await Promise.all(Array.from({ length: 5 }, () => confirm(tried, wrong(triedCode))))
      expect(said(await confirm(tried, triedCode))).toEqual([410, 'code_expired'])

      await ask(late, to[1])
      const lateCode = await codeIn(world, to[1])
      world.clock.now += MAIL_CODE_MS
      expect(said(await confirm(late, lateCode))).toEqual([410, 'code_expired'])
      world.clock.now -= MAIL_CODE_MS

      await ask(twice, to[2])
      const old = await codeIn(world, to[2])
      world.clock.now += 1000
      await prove(world, twice)
      await ask(twice, to[3])
      const fresh = await codeIn(world, to[3])
      if (old !== fresh) expect(said(await confirm(twice, old))).toEqual([422, 'code_wrong'])
      expect((await confirm(twice, fresh)).json().user.email).toBe(to[3])
    })

    test('nobody changes with the code of another', async () => {
      const [one, other] = [await proven(), await proven()]
      const [mine, theirs] = [newAddress(), newAddress()]
      await ask(one, mine)
      await ask(other, theirs)
      const [code, others] = [await codeIn(world, mine), await codeIn(world, theirs)]
      if (code !== others) expect(said(await confirm(other, code))).toEqual([422, 'code_wrong'])
      expect(await signIn(mine)).toBe(401)
    })

    test('two who prove the same address at once: one has it, the other’s code is wrong', async () => {
      const people = [await proven(), await proven()]
      const email = newAddress()
      const codes: string[] = []
      for (const it of people) {
        await ask(it, email)
        codes.push(await codeIn(world, email))
        world.clock.now += 1000
      }
      const replies = await Promise.all(people.map((it, i) => confirm(it, codes[i] ?? '')))
      expect(replies.map((it) => it.statusCode).toSorted()).toEqual([200, 422])
      const { rows } = await world.database.executeSql('select count(*)::int n from users where email = $1', [
        email,
      ])
      expect(rows).toEqual([{ n: 1 }])
    })

    test('codes that wait die with the change: a reset’s to the old address, a registration of the new one', async () => {
      const member = await proven()
      const email = newAddress()
      const { claim } = (
        await call(world, null, 'POST', '/auth/sign-up', {
          email,
          password: 'stranger-1',
          name: '別人',
          birth_date: '1990-01-01',
          terms: true,
        })
      ).json<{ claim: string }>()
      const token = await tokenIn(world, email)
      const asked = await call(world, null, 'POST', '/auth/reset', { email: member.email })
      const resetCode = await codeIn(world, member.email)
      await ask(member, email)
      expect((await confirm(member, await codeIn(world, email))).statusCode).toBe(200)
      const reset = { request_id: asked.json<{ request_id: string }>().request_id, code: resetCode }
      expect(said(await call(world, null, 'POST', '/auth/reset/code', reset))).toEqual([422, 'code_wrong'])
      const { rows } = await world.database.executeSql('select id from registrations where email = $1', [
        email,
      ])
      expect(rows).toEqual([])
      const begun = await call(world, null, 'POST', '/auth/sign-up/confirm', { token, claim })
      expect(said(begun)).toEqual([410, 'link_invalid'])
    })

    test('a stranger’s box learns no name', async () => {
      const member = await proven()
      const email = newAddress()
      await ask(member, email)
      await codeIn(world, email)
      const { db, outbox } = world.deps
      const { rows } = await world.database.executeSql('select id from letters')
      const posted = await Promise.all((rows as { id: string }[]).map((it) => outbox.read(db, it.id)))
      expect(posted.filter((it) => it?.to.email === email).map((it) => it?.to.name)).toEqual([''])
    })
  })
})
