// Devices that take pushes: whose they are, how many, and what ends them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import { listDevices } from '#server/store/notifications/push-subscriptions.ts'
import { addSession } from '#server/store/accounts/sessions.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { type PushService, pushTo, startPushService } from '#server/testing/clients/push-service.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

let service: PushService
beforeAll(async () => {
  service = await startPushService()
})
afterAll(() => service.close())

for (const { kind, available } of databases)
  describe.skipIf(!available)(`on ${kind}`, () => {
    let world: World
    const lines: string[] = []
    beforeAll(async () => {
      world = await openWorld({
        database: kind,
        settings: { logLevel: 'trace', logTo: { write: (line) => void lines.push(line) } },
        parts: { push: pushTo(service) },
      })
    })
    afterAll(() => world.close())

    /** The same person on one more device. */
    async function again(member: Member): Promise<Member> {
      const token = newToken()
      await addSession(world.deps.db, { tokenHash: hashToken(token), userId: member.id }, world.clock.now)
      return { ...member, token, auth: { authorization: `Bearer ${token}` } }
    }
    const put = (as: Member | null, subscription: object) =>
      call(world, as, 'PUT', '/push/subscription', subscription)
    const endpointsOf = async ({ id }: Member) =>
      (await listDevices(world.deps.db, id)).map((it) => it.endpoint).toSorted()

    test('a session’s device is one: subscribed again it is replaced, ended twice it is ended', async () => {
      const member = await signUp(world)
      const [one, other] = [service.subscribe(), service.subscribe()]
      expect((await put(member, one)).json()).toEqual({ subscribed: true })
      expect((await put(member, one)).statusCode).toBe(200)
      await put(member, other)
      expect(await endpointsOf(member)).toEqual([other.endpoint])
      for (let n = 0; n < 2; n++)
        expect((await call(world, member, 'DELETE', '/push/subscription')).json()).toEqual({
          subscribed: false,
        })
      expect(await endpointsOf(member)).toEqual([])
    })

    test('what else a browser says of its subscription is left out', async () => {
      const member = await signUp(world)
      expect((await put(member, { ...service.subscribe(), expirationTime: null })).statusCode).toBe(200)
    })

    test('a device belongs to whoever subscribed it last', async () => {
      const [one, other] = [await signUp(world), await signUp(world)]
      const device = service.subscribe()
      await put(one, device)
      await put(other, device)
      expect([await endpointsOf(one), await endpointsOf(other)]).toEqual([[], [device.endpoint]])
    })

    test('of eleven devices the first gives way', async () => {
      const member = await signUp(world)
      const devices = Array.from({ length: 11 }, () => service.subscribe())
      for (const device of devices) {
        world.clock.now += 1000
        await put(await again(member), device)
      }
      expect(await endpointsOf(member)).toEqual(
        devices
          .slice(1)
          .map((it) => it.endpoint)
          .toSorted(),
      )
    })

    test('signing out ends it, and so does ending the session from elsewhere', async () => {
      const phone = await signUp(world)
      const desk = await again(phone)
      await put(phone, service.subscribe())
      await put(desk, service.subscribe())
      await call(world, phone, 'DELETE', '/auth/sessions')
      expect(await endpointsOf(phone)).toHaveLength(1)
      await call(world, phone, 'POST', '/auth/sign-out')
      expect(await endpointsOf(phone)).toEqual([])
    })

    test.each([
      ['http://push.example/x', 'https_url'],
      ['https://127.0.0.1/x', 'malformed'],
      ['https://localhost/x', 'malformed'],
      [`https://push.example/${'x'.repeat(2100)}`, 'malformed'],
      ['x', 'malformed'],
    ])('an address like %.40s is refused', async (endpoint, code) => {
      const member = await signUp(world)
      const reply = await put(member, { ...service.subscribe(), endpoint })
      expect([reply.statusCode, errorOf(reply)]).toEqual([
        422,
        { code: 'invalid', fields: { endpoint: code } },
      ])
      expect(await endpointsOf(member)).toEqual([])
    })

    test('keys that are none are refused', async () => {
      const member = await signUp(world)
      const { endpoint, keys } = service.subscribe()
      const short = await put(member, { endpoint, keys: { ...keys, auth: 'x' } })
      expect(errorOf(short).fields).toEqual({ 'keys.auth': 'malformed' })
      const beside = await put(member, { endpoint, keys: { ...keys, p256dh: 'B'.repeat(87) } })
      expect(errorOf(beside).code).toBe('invalid')
    })

    test('a test arrives on the device that asks, and on no other', async () => {
      const phone = await signUp(world)
      const desk = await again(phone)
      const here = service.subscribe()
      await put(phone, here)
      await put(desk, service.subscribe())
      const before = service.arrived.length
      expect((await call(world, phone, 'POST', '/push/test')).json()).toEqual({ outcome: 'sent' })
      const [message, more] = service.arrived.slice(before)
      expect([here.endpoint.endsWith(`/${message?.device}`), more]).toEqual([true, undefined])
      expect(JSON.parse(message?.text ?? '')).toMatchObject({
        web_push: 8030,
        notification: { title: '通知のテスト', data: { setting_cd: 'test', user_id: phone.id } },
      })
    })

    test('a test says that nothing is subscribed, or is no more, or was not taken', async () => {
      const member = await signUp(world)
      const outcome = async () =>
        (await call(world, member, 'POST', '/push/test')).json<{ outcome: string }>().outcome
      expect(await outcome()).toBe('none')
      await put(member, service.subscribe())
      service.answers.push({ status: 500 })
      expect(await outcome()).toBe('failed')
      service.answers.push({ status: 410 })
      expect(await outcome()).toBe('none')
      expect(await endpointsOf(member)).toEqual([])
    })

    test('a device that is refused five times in a row is taken for gone', async () => {
      const member = await signUp(world)
      await put(member, service.subscribe())
      const refused = { status: 400 }
      const tries = [refused, refused, refused, refused, { status: 201 }, refused, refused, refused, refused]
      for (const answer of tries) {
        service.answers.push(answer)
        await call(world, member, 'POST', '/push/test')
      }
      expect(await endpointsOf(member)).toHaveLength(1)
      service.answers.push(refused)
      await call(world, member, 'POST', '/push/test')
      expect(await endpointsOf(member)).toEqual([])
    })

    test('visitors are told nothing, and no address of a device stands in the log', async () => {
      for (const [method, address] of [
        ['GET', '/push/key'],
        ['DELETE', '/push/subscription'],
        ['POST', '/push/test'],
      ] as const)
        expect(errorOf(await call(world, null, method, address)).code).toBe('unauthenticated')
      expect(errorOf(await put(null, service.subscribe())).code).toBe('unauthenticated')
      expect(lines.length).toBeGreaterThan(10)
      expect(lines.filter((line) => line.includes(service.origin))).toEqual([])
    })
  })
