// Several reset requests for one address do not affect each other's codes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cookieOf, rememberedDevice } from '#server/testing/people/device.ts'
import { codeIn, emailsTo, secretIn } from '#server/testing/people/emails.ts'
import { call, errorOf, PASSWORD, type Reply, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepRegistrations } from './expiry.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const outcome = (reply: Reply) => [reply.statusCode, errorOf(reply)?.code]

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('reset requests for one address', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const post = (path: string, body: object, headers?: Record<string, string>) =>
      call(world, null, 'POST', `/auth/reset${path}`, body, headers)
    const postRequest = (email: string, more: object = {}, headers?: Record<string, string>) =>
      post('', { email, ...more }, headers)
    const requestIdFor = async (...of: Parameters<typeof postRequest>) =>
      (await postRequest(...of)).json().request_id as string
    const check = (request: string, code: string) => post('/code', { request_id: request, code })
    const codesTo = async (address: string) =>
      (await emailsTo(world, address)).flatMap((email) => (email.is === 'reset_code' ? [email] : []))
    /** The token in the link of the newest reset email. */
    const mailTokenTo = async (email: string) => secretIn((await codesTo(email)).at(-1)?.mailUrl)

    test('a code is valid for its own request only, and wrong tries of another request do not count', async () => {
      const member = await signUp(world)
      const device = await rememberedDevice(world, member)
      const otherRequest = await requestIdFor(member.email)
      const otherCode = await codeIn(world, member.email)
      const ownRequest = await requestIdFor(member.email, {}, device)
      const code = await codeIn(world, member.email)
      for (let i = 0; i < 7; i++)
        expect(outcome(await check(otherRequest, wrongCode(otherCode)))).toEqual([422, 'code_wrong'])
      if (code !== otherCode) expect(outcome(await check(otherRequest, code))).toEqual([422, 'code_wrong'])
      expect((await check(ownRequest, code)).statusCode).toBe(200)
    })

    test('later requests invalidate no earlier code, whether they get a code or not', async () => {
      const member = await signUp(world)
      const first = await requestIdFor(member.email)
      const code = await codeIn(world, member.email)
      for (let i = 0; i < 10; i++) await postRequest(member.email)
      await postRequest(member.email, {}, await rememberedDevice(world, member))
      await codesTo(member.email)
      expect((await check(first, code)).statusCode).toBe(200)
    })

    test('an invented request id is refused', async () => {
      const member = await signUp(world)
      await postRequest(member.email)
      const code = await codeIn(world, member.email)
      expect(outcome(await check('x'.repeat(43), code))).toEqual([422, 'code_wrong'])
      expect(outcome(await check('short', code))).toEqual([422, 'invalid'])
    })

    test('an address gets one unrequested code an hour and three a day, and every request succeeds', async () => {
      const { email } = await signUp(world)
      const counts: number[] = []
      for (let hour = 0; hour < 27; hour++) {
        for (let i = 0; i < 3; i++) expect((await postRequest(email)).statusCode).toBe(200)
        counts.push((await codesTo(email)).length)
        world.clock.now += HOUR
        await sweepRegistrations(world.deps)
      }
      expect(counts.slice(0, 5)).toEqual([1, 2, 3, 3, 3])
      expect(counts.slice(22)).toEqual([3, 3, 4, 5, 6])
    })

    test('of five concurrent requests one causes a code', async () => {
      const { email } = await signUp(world)
      await Promise.all(Array.from({ length: 5 }, () => postRequest(email)))
      expect(await codesTo(email)).toHaveLength(1)
    })

    test('a code that was entered correctly does not count: the next request gets a code', async () => {
      const { email } = await signUp(world)
      const request = await requestIdFor(email)
      await check(request, await codeIn(world, email))
      await postRequest(email)
      expect(await codesTo(email)).toHaveLength(2)
    })

    test('the owner gets a code on a remembered device after others used up all unrequested ones', async () => {
      const member = await signUp(world)
      const device = await rememberedDevice(world, member)
      for (let hour = 0; hour < 3; hour++) {
        await postRequest(member.email)
        await codesTo(member.email)
        world.clock.now += HOUR
      }
      await postRequest(member.email)
      expect(await codesTo(member.email)).toHaveLength(3)
      const reply = await postRequest(member.email, {}, device)
      expect(reply.json().again_after_s).toBe(60)
      expect((await check(reply.json().request_id, await codeIn(world, member.email))).statusCode).toBe(200)
    })

    test('the owner gets a code on a new device by the link of an email that others caused', async () => {
      const member = await signUp(world)
      await postRequest(member.email)
      const token = await mailTokenTo(member.email)
      await postRequest(member.email)
      expect(await codesTo(member.email)).toHaveLength(1)
      const request = await requestIdFor(member.email, { mail_token: token })
      const code = await codeIn(world, member.email)
      expect(await codesTo(member.email)).toHaveLength(2)
      expect((await check(request, code)).statusCode).toBe(200)
    })

    test('a remembered device and a link are proof for their own account only', async () => {
      const [member, other] = [await signUp(world), await signUp(world)]
      await postRequest(other.email)
      const token = await mailTokenTo(other.email)
      const device = await rememberedDevice(world, other)
      await postRequest(member.email)
      await postRequest(member.email, { mail_token: token }, device)
      await postRequest(member.email, { mail_token: 'x' }, { cookie: 'todoke_device=x.y' })
      expect(await codesTo(member.email)).toHaveLength(1)
    })

    test('at most five codes an hour are sent on request of the owner', async () => {
      const member = await signUp(world)
      const device = await rememberedDevice(world, member)
      for (let i = 0; i < 7; i++) await postRequest(member.email, {}, device)
      expect(await codesTo(member.email)).toHaveLength(5)
      world.clock.now += HOUR
      await postRequest(member.email, {}, device)
      expect(await codesTo(member.email)).toHaveLength(6)
    })

    test('by the link the owner refuses unrequested codes for seven days, and allows them again', async () => {
      const member = await signUp(world)
      const device = await rememberedDevice(world, member)
      await postRequest(member.email)
      const token = await mailTokenTo(member.email)
      expect((await post('/mail', { token })).json()).toEqual({ email: member.email, refused_until: null })
      const until = new Date(world.clock.now + 7 * DAY).toISOString()
      const refused = { email: member.email, refused_until: until }
      expect((await post('/mail/refuse', { token })).json()).toEqual(refused)
      expect((await post('/mail', { token })).json()).toEqual(refused)
      world.clock.now += 2 * DAY
      await postRequest(member.email)
      expect(await codesTo(member.email), 'no unrequested code').toHaveLength(1)
      await postRequest(member.email, {}, device)
      expect(await codesTo(member.email), 'one on a remembered device').toHaveLength(2)
      await postRequest(member.email, { mail_token: token })
      expect(await codesTo(member.email), 'one by the link').toHaveLength(3)
      expect((await post('/mail/allow', { token })).json().refused_until).toBe(null)
      await postRequest(member.email)
      expect(await codesTo(member.email)).toHaveLength(4)
    })

    test('a refusal expires after seven days, and the sweep deletes its row', async () => {
      const member = await signUp(world)
      await postRequest(member.email)
      const token = await mailTokenTo(member.email)
      await post('/mail/refuse', { token })
      world.clock.now += 7 * DAY
      await sweepRegistrations(world.deps)
      const { rows } = await world.database.executeSql('select * from reset_refusals where user_id = $1', [
        member.id,
      ])
      expect(rows).toEqual([])
      await postRequest(member.email)
      expect(await codesTo(member.email)).toHaveLength(2)
    })

    test('a link that is altered, fourteen days old or of an address without an account is link_invalid', async () => {
      const member = await signUp(world)
      await postRequest(member.email)
      const token = await mailTokenTo(member.email)
      for (const path of ['/mail', '/mail/refuse', '/mail/allow'])
        expect(outcome(await post(path, { token: `${token.slice(0, -2)}AA` }))).toEqual([410, 'link_invalid'])
      await world.database.executeSql(`update users set email = 'moved-' || email where id = $1`, [member.id])
      expect(outcome(await post('/mail', { token }))).toEqual([410, 'link_invalid'])
      await world.database.executeSql(`update users set email = $2 where id = $1`, [member.id, member.email])
      world.clock.now += 14 * DAY
      expect(outcome(await post('/mail', { token }))).toEqual([410, 'link_invalid'])
    })

    test('a reset remembers its device and removes the other remembered devices', async () => {
      const member = await signUp(world)
      const old = await rememberedDevice(world, member)
      const request = await requestIdFor(member.email)
      const { password_reset_token: token } = (await check(request, await codeIn(world, member.email))).json()
      const changed = await post('/password', { password_reset_token: token, password: PASSWORD })
      const resetDevice = cookieOf(changed)
      world.clock.now += HOUR
      const secondsToNextCode = async (device: { cookie: string }) =>
        (await postRequest(member.email, {}, device)).json().again_after_s as number
      expect([await secondsToNextCode(resetDevice), await secondsToNextCode(old)]).toEqual([60, 3600])
    })
  })
})
