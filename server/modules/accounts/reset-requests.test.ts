// Reset requests of different people for one address: they neither use up nor invalidate each other's codes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cookieOf, rememberedDevice } from '#server/testing/people/device.ts'
import { codeIn, emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, PASSWORD, type Reply, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { forgetUnfinished } from './expiry.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const said = (reply: Reply) => [reply.statusCode, errorOf(reply)?.code]

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('reset requests for one address', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const post = (path: string, body: object, headers?: Record<string, string>) =>
      call(world, null, 'POST', `/auth/reset${path}`, body, headers)
    const ask = (email: string, more: object = {}, headers?: Record<string, string>) =>
      post('', { email, ...more }, headers)
    const asked = async (...of: Parameters<typeof ask>) => (await ask(...of)).json().request_id as string
    const check = (request: string, code: string) => post('/code', { request_id: request, code })
    const codesTo = async (email: string) =>
      (await emailsTo(world, email)).flatMap((it) => (it.is === 'reset_code' ? [it] : []))
    /** The token in the link of the newest reset email. */
    const mailTokenTo = async (email: string) =>
      new URL((await codesTo(email)).at(-1)?.mailUrl ?? '').searchParams.get('token') ?? ''

    test('a code answers its own request alone, and wrong tries at another request leave its tries whole', async () => {
      const member = await signUp(world)
      const device = await rememberedDevice(world, member)
      const others = await asked(member.email)
      const theirCode = await codeIn(world, member.email)
      const mine = await asked(member.email, {}, device)
      const code = await codeIn(world, member.email)
      for (let i = 0; i < 7; i++)
        expect(said(await check(others, wrong(theirCode)))).toEqual([422, 'code_wrong'])
      if (code !== theirCode) expect(said(await check(others, code))).toEqual([422, 'code_wrong'])
      expect((await check(mine, code)).statusCode).toBe(200)
    })

    test('requests that come later invalidate no code, and neither do those without a code', async () => {
      const member = await signUp(world)
      const mine = await asked(member.email)
      const code = await codeIn(world, member.email)
      for (let i = 0; i < 10; i++) await ask(member.email)
      await ask(member.email, {}, await rememberedDevice(world, member))
      await codesTo(member.email)
      expect((await check(mine, code)).statusCode).toBe(200)
    })

    test('a request id that was made up opens nothing', async () => {
      const member = await signUp(world)
      await ask(member.email)
      const code = await codeIn(world, member.email)
      expect(said(await check('x'.repeat(43), code))).toEqual([422, 'code_wrong'])
      expect(said(await check('short', code))).toEqual([422, 'invalid'])
    })

    test('an address gets one unasked code an hour and three a day, whatever the answers say', async () => {
      const { email } = await signUp(world)
      const counts: number[] = []
      for (let hour = 0; hour < 27; hour++) {
        for (let i = 0; i < 3; i++) expect((await ask(email)).statusCode).toBe(200)
        counts.push((await codesTo(email)).length)
        world.clock.now += HOUR
        await forgetUnfinished(world.deps)
      }
      expect(counts.slice(0, 5)).toEqual([1, 2, 3, 3, 3])
      expect(counts.slice(22)).toEqual([3, 3, 4, 5, 6])
    })

    test('requests that come at the same moment are sent one code', async () => {
      const { email } = await signUp(world)
      await Promise.all(Array.from({ length: 5 }, () => ask(email)))
      expect(await codesTo(email)).toHaveLength(1)
    })

    test('a code that was typed rightly was asked for: the next one is sent', async () => {
      const { email } = await signUp(world)
      const request = await asked(email)
      await check(request, await codeIn(world, email))
      await ask(email)
      expect(await codesTo(email)).toHaveLength(2)
    })

    test('the owner gets a code on a remembered device after others used up all unasked ones', async () => {
      const member = await signUp(world)
      const device = await rememberedDevice(world, member)
      for (let hour = 0; hour < 3; hour++) {
        await ask(member.email)
        await codesTo(member.email)
        world.clock.now += HOUR
      }
      await ask(member.email)
      expect(await codesTo(member.email)).toHaveLength(3)
      const reply = await ask(member.email, {}, device)
      expect(reply.json().again_after_s).toBe(60)
      expect((await check(reply.json().request_id, await codeIn(world, member.email))).statusCode).toBe(200)
    })

    test('the owner gets a code on a new device by the link of an email that others caused', async () => {
      const member = await signUp(world)
      await ask(member.email)
      const token = await mailTokenTo(member.email)
      await ask(member.email)
      expect(await codesTo(member.email)).toHaveLength(1)
      const request = await asked(member.email, { mail_token: token })
      const code = await codeIn(world, member.email)
      expect(await codesTo(member.email)).toHaveLength(2)
      expect((await check(request, code)).statusCode).toBe(200)
    })

    test('a remembered device and a link are proof for their own account alone', async () => {
      const [member, other] = [await signUp(world), await signUp(world)]
      await ask(other.email)
      const token = await mailTokenTo(other.email)
      const device = await rememberedDevice(world, other)
      await ask(member.email)
      await ask(member.email, { mail_token: token }, device)
      await ask(member.email, { mail_token: 'x' }, { cookie: 'todoke_device=x.y' })
      expect(await codesTo(member.email)).toHaveLength(1)
    })

    test('at most five codes an hour are sent on request of the owner', async () => {
      const member = await signUp(world)
      const device = await rememberedDevice(world, member)
      for (let i = 0; i < 7; i++) await ask(member.email, {}, device)
      expect(await codesTo(member.email)).toHaveLength(5)
      world.clock.now += HOUR
      await ask(member.email, {}, device)
      expect(await codesTo(member.email)).toHaveLength(6)
    })

    test('by the link the owner refuses further unasked codes for seven days, and takes that back', async () => {
      const member = await signUp(world)
      const device = await rememberedDevice(world, member)
      await ask(member.email)
      const token = await mailTokenTo(member.email)
      expect((await post('/mail', { token })).json()).toEqual({ email: member.email, refused_until: null })
      const until = new Date(world.clock.now + 7 * DAY).toISOString()
      const refused = { email: member.email, refused_until: until }
      expect((await post('/mail/refuse', { token })).json()).toEqual(refused)
      expect((await post('/mail', { token })).json()).toEqual(refused)
      world.clock.now += 2 * DAY
      await ask(member.email)
      expect(await codesTo(member.email), 'none that was not asked for').toHaveLength(1)
      await ask(member.email, {}, device)
      expect(await codesTo(member.email), 'one on a remembered device').toHaveLength(2)
      await ask(member.email, { mail_token: token })
      expect(await codesTo(member.email), 'one by the link').toHaveLength(3)
      expect((await post('/mail/allow', { token })).json().refused_until).toBe(null)
      await ask(member.email)
      expect(await codesTo(member.email)).toHaveLength(4)
    })

    test('a refusal ends by itself, and its row goes', async () => {
      const member = await signUp(world)
      await ask(member.email)
      const token = await mailTokenTo(member.email)
      await post('/mail/refuse', { token })
      world.clock.now += 7 * DAY
      await forgetUnfinished(world.deps)
      const { rows } = await world.database.executeSql('select * from reset_refusals where user_id = $1', [
        member.id,
      ])
      expect(rows).toEqual([])
      await ask(member.email)
      expect(await codesTo(member.email)).toHaveLength(2)
    })

    test('a link that was made up, is fourteen days old or whose account has gone is link_invalid', async () => {
      const member = await signUp(world)
      await ask(member.email)
      const token = await mailTokenTo(member.email)
      for (const path of ['/mail', '/mail/refuse', '/mail/allow'])
        expect(said(await post(path, { token: `${token.slice(0, -2)}AA` }))).toEqual([410, 'link_invalid'])
      await world.database.executeSql(`update users set email = 'moved-' || email where id = $1`, [member.id])
      expect(said(await post('/mail', { token }))).toEqual([410, 'link_invalid'])
      await world.database.executeSql(`update users set email = $2 where id = $1`, [member.id, member.email])
      world.clock.now += 14 * DAY
      expect(said(await post('/mail', { token }))).toEqual([410, 'link_invalid'])
    })

    test('the device that was used for the reset is remembered, and the others no longer are', async () => {
      const member = await signUp(world)
      const old = await rememberedDevice(world, member)
      const request = await asked(member.email)
      const { password_reset_token: token } = (await check(request, await codeIn(world, member.email))).json()
      const changed = await post('/password', { password_reset_token: token, password: PASSWORD })
      const here = cookieOf(changed)
      world.clock.now += HOUR
      const again = async (device: { cookie: string }) =>
        (await ask(member.email, {}, device)).json().again_after_s as number
      expect([await again(here), await again(old)]).toEqual([60, 3600])
    })
  })
})
