// Changes of the email address, and attempts that must fail.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAIL_CODE_MS } from '#contract/accounts/mail-code.ts'
import { defined } from '#contract/testing/defined.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { codeIn, emailsTo, tokenIn } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, PASSWORD, type Reply, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

let n = 0
const newAddress = () => `moved${++n}@example.com`
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const outcome = (reply: Reply) => [reply.statusCode, errorOf(reply)?.code]

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('changing the address', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const requestChange = (as: Member | null, email: string) =>
      call(world, as, 'POST', '/auth/email', { email })
    const confirm = (as: Member | null, code: string) => call(world, as, 'POST', '/auth/email/code', { code })
    const signIn = async (email: string) =>
      (await call(world, null, 'POST', '/auth/sign-in', { email, password: PASSWORD })).statusCode
    const newValidated = async () => {
      const member = await signUp(world)
      await validate(world, member)
      return member
    }
    const kindsOfEmails = async (email: string) => (await emailsTo(world, email)).map((it) => it.is)

    test('sends a code to the new address and a notice to the present one, and changes with the right code', async () => {
      const member = await newValidated()
      const email = newAddress()
      expect((await requestChange(member, ` ${email.toUpperCase()}`)).json()).toEqual({ sent: true })
      const code = await codeIn(world, email)
      expect(outcome(await confirm(member, wrongCode(code)))).toEqual([422, 'code_wrong'])
      expect(await signIn(email)).toBe(401)
      expect((await confirm(member, code)).json()).toMatchObject({ user: { id: member.id, email } })
      expect([await signIn(email), await signIn(member.email)]).toEqual([200, 401])
      expect((await call(world, member, 'GET', '/auth/session')).json().user.email).toBe(email)
      expect(await emailsTo(world, member.email)).toMatchObject([
        { is: 'change_email_asked', to: 'm•••@example.com' },
        { is: 'email_changed', to: 'm•••@example.com' },
      ])
      expect((await kindsOfEmails(email)).slice(0, 2)).toEqual(['change_email_code', 'email_changed'])
      expect(outcome(await confirm(member, code))).toEqual([410, 'code_expired'])
    })

    test('requires a validated session and an address other than the present one', async () => {
      const member = await signUp(world)
      expect(outcome(await requestChange(member, newAddress()))).toEqual([403, 'validation_required'])
      await validate(world, member)
      expect(errorOf(await requestChange(member, member.email))).toEqual({
        code: 'invalid',
        fields: { email: 'unchanged' },
      })
      expect(outcome(await requestChange(null, newAddress()))).toEqual([401, 'unauthenticated'])
      expect(outcome(await confirm(null, '123456'))).toEqual([401, 'unauthenticated'])
    })

    test('an address that has an account gets the same replies, tries included, and its owner a notice', async () => {
      const owner = await signUp(world)
      const [one, other] = [await newValidated(), await newValidated()]
      const free = newAddress()
      const replies = [await requestChange(one, owner.email), await requestChange(other, free)] as const
      expect([replies[0].statusCode, replies[0].body]).toEqual([replies[1].statusCode, replies[1].body])
      expect(await kindsOfEmails(owner.email)).toEqual(['change_email_taken'])
      expect(await kindsOfEmails(one.email)).toEqual(await kindsOfEmails(other.email))
      const code = wrongCode(await codeIn(world, free))
      for (let i = 0; i < 7; i++) {
        const [ofTaken, ofFree] = [await confirm(one, code), await confirm(other, code)]
        expect([ofTaken.statusCode, ofTaken.body]).toEqual([ofFree.statusCode, ofFree.body])
      }
      expect(await signIn(owner.email)).toBe(200)
    })

    test('a code is refused after five wrong tries, after half an hour, and when a newer one was sent', async () => {
      const [tried, late, twice] = [await newValidated(), await newValidated(), await newValidated()]
      const to = [newAddress(), newAddress(), newAddress(), newAddress()] as const
      await requestChange(tried, to[0])
      const triedCode = await codeIn(world, to[0])
      await Promise.all(Array.from({ length: 5 }, () => confirm(tried, wrongCode(triedCode))))
      expect(outcome(await confirm(tried, triedCode))).toEqual([410, 'code_expired'])

      await requestChange(late, to[1])
      const lateCode = await codeIn(world, to[1])
      world.clock.now += MAIL_CODE_MS
      expect(outcome(await confirm(late, lateCode))).toEqual([410, 'code_expired'])
      world.clock.now -= MAIL_CODE_MS

      await requestChange(twice, to[2])
      const old = await codeIn(world, to[2])
      world.clock.now += 1000
      await validate(world, twice)
      await requestChange(twice, to[3])
      const fresh = await codeIn(world, to[3])
      if (old !== fresh) expect(outcome(await confirm(twice, old))).toEqual([422, 'code_wrong'])
      expect((await confirm(twice, fresh)).json().user.email).toBe(to[3])
    })

    test('the code of another member changes no address', async () => {
      const [one, other] = [await newValidated(), await newValidated()]
      const [address, otherAddress] = [newAddress(), newAddress()]
      await requestChange(one, address)
      await requestChange(other, otherAddress)
      const [code, otherCode] = [await codeIn(world, address), await codeIn(world, otherAddress)]
      if (code !== otherCode) expect(outcome(await confirm(other, code))).toEqual([422, 'code_wrong'])
      expect(await signIn(address)).toBe(401)
    })

    test('of two members who prove the same address at once one gets it, and the other is refused', async () => {
      const people = [await newValidated(), await newValidated()]
      const email = newAddress()
      const codes: string[] = []
      for (const member of people) {
        await requestChange(member, email)
        codes.push(await codeIn(world, email))
        world.clock.now += 1000
      }
      const replies = await Promise.all(people.map((member, i) => confirm(member, defined(codes[i]))))
      expect(replies.map((it) => it.statusCode).toSorted()).toEqual([200, 422])
      const { rows } = await world.database.executeSql('select count(*)::int n from users where email = $1', [
        email,
      ])
      expect(rows).toEqual([{ n: 1 }])
    })

    test('the change invalidates a reset code of the old address and a registration of the new one', async () => {
      const member = await newValidated()
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
      const resetRequest = await call(world, null, 'POST', '/auth/reset', { email: member.email })
      const resetCode = await codeIn(world, member.email)
      await requestChange(member, email)
      expect((await confirm(member, await codeIn(world, email))).statusCode).toBe(200)
      const reset = { request_id: resetRequest.json<{ request_id: string }>().request_id, code: resetCode }
      expect(outcome(await call(world, null, 'POST', '/auth/reset/code', reset))).toEqual([422, 'code_wrong'])
      const { rows } = await world.database.executeSql('select id from registrations where email = $1', [
        email,
      ])
      expect(rows).toEqual([])
      const confirmation = await call(world, null, 'POST', '/auth/sign-up/confirm', { token, claim })
      expect(outcome(confirmation)).toEqual([410, 'link_invalid'])
    })

    test('the email to the new address is sent without a name', async () => {
      const member = await newValidated()
      const email = newAddress()
      await requestChange(member, email)
      await codeIn(world, email)
      const { db, outbox } = world.deps
      const { rows } = await world.database.executeSql('select id from letters')
      const emails = await Promise.all((rows as { id: string }[]).map((it) => outbox.read(db, it.id)))
      expect(emails.filter((it) => it?.to.email === email).map((it) => it?.to.name)).toEqual([''])
    })
  })
})
