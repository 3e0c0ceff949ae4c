// Push subscriptions of devices: owner, number, validation, and removal.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
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
    const logLines: string[] = []
    beforeAll(async () => {
      world = await openWorld({
        database: kind,
        settings: { logLevel: 'trace', logTo: { write: (line) => void logLines.push(line) } },
        parts: { push: pushTo(service) },
      })
    })
    afterAll(() => world.close())

    /** The same member with a session on another device. */
    async function signInOnNewDevice(member: Member): Promise<Member> {
      const token = newToken()
      await addSession(world.deps.db, { tokenHash: hashToken(token), userId: member.id }, world.clock.now)
      return { ...member, token, auth: { authorization: `Bearer ${token}` } }
    }
    const put = (as: Member | null, subscription: object) =>
      call(world, as, 'PUT', '/push/subscription', subscription)
    const endpointsOf = async ({ id }: Member) =>
      (await listDevices(world.deps.db, id)).map((it) => it.endpoint).toSorted()

    test('a session has one subscription: a new one replaces it, and removing it twice succeeds', async () => {
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

    test('other fields of a browser’s subscription are ignored', async () => {
      const member = await signUp(world)
      expect((await put(member, { ...service.subscribe(), expirationTime: null })).statusCode).toBe(200)
    })

    test('a device belongs to the member who subscribed it last', async () => {
      const [one, other] = [await signUp(world), await signUp(world)]
      const device = service.subscribe()
      await put(one, device)
      await put(other, device)
      expect([await endpointsOf(one), await endpointsOf(other)]).toEqual([[], [device.endpoint]])
    })

    test('an eleventh device replaces the oldest of the member', async () => {
      const member = await signUp(world)
      const devices = Array.from({ length: 11 }, () => service.subscribe())
      for (const device of devices) {
        world.clock.now += 1000
        await put(await signInOnNewDevice(member), device)
      }
      expect(await endpointsOf(member)).toEqual(
        devices
          .slice(1)
          .map((it) => it.endpoint)
          .toSorted(),
      )
    })

    test('signing out removes the subscription, and so does ending the session from another device', async () => {
      const phone = await signUp(world)
      const desktop = await signInOnNewDevice(phone)
      await put(phone, service.subscribe())
      await put(desktop, service.subscribe())
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
    ])('an endpoint like %.40s is refused', async (endpoint, code) => {
      const member = await signUp(world)
      const reply = await put(member, { ...service.subscribe(), endpoint })
      expect([reply.statusCode, errorOf(reply)]).toEqual([
        422,
        { code: 'invalid', fields: { endpoint: code } },
      ])
      expect(await endpointsOf(member)).toEqual([])
    })

    test('invalid keys are refused', async () => {
      const member = await signUp(world)
      const { endpoint, keys } = service.subscribe()
      const short = await put(member, { endpoint, keys: { ...keys, auth: 'x' } })
      expect(errorOf(short).fields).toEqual({ 'keys.auth': 'malformed' })
      const offCurve = await put(member, { endpoint, keys: { ...keys, p256dh: 'B'.repeat(87) } })
      expect(errorOf(offCurve).code).toBe('invalid')
    })

    test('a test push arrives only on the requesting device', async () => {
      const phone = await signUp(world)
      const desktop = await signInOnNewDevice(phone)
      const phoneSubscription = service.subscribe()
      await put(phone, phoneSubscription)
      await put(desktop, service.subscribe())
      const before = service.arrived.length
      expect((await call(world, phone, 'POST', '/push/test')).json()).toEqual({ outcome: 'sent' })
      const [message, more] = service.arrived.slice(before)
      expect([phoneSubscription.endpoint.endsWith(`/${message?.device}`), more]).toEqual([true, undefined])
      expect(JSON.parse(defined(message?.text))).toMatchObject({
        web_push: 8030,
        notification: { title: '通知のテスト', data: { setting_cd: 'test', user_id: phone.id } },
      })
    })

    test('a test push reports a missing subscription, an ended one, and a failed delivery', async () => {
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

    test('a device is removed after five refusals in a row', async () => {
      const member = await signUp(world)
      await put(member, service.subscribe())
      const refused = { status: 400 }
      const replies = [
        refused,
        refused,
        refused,
        refused,
        { status: 201 },
        refused,
        refused,
        refused,
        refused,
      ]
      for (const reply of replies) {
        service.answers.push(reply)
        await call(world, member, 'POST', '/push/test')
      }
      expect(await endpointsOf(member)).toHaveLength(1)
      service.answers.push(refused)
      await call(world, member, 'POST', '/push/test')
      expect(await endpointsOf(member)).toEqual([])
    })

    test('requests without a session are unauthenticated, and the log has no endpoint of a device', async () => {
      for (const [method, address] of [
        ['GET', '/push/key'],
        ['DELETE', '/push/subscription'],
        ['POST', '/push/test'],
      ] as const)
        expect(errorOf(await call(world, null, method, address)).code).toBe('unauthenticated')
      expect(errorOf(await put(null, service.subscribe())).code).toBe('unauthenticated')
      expect(logLines.length).toBeGreaterThan(10)
      expect(logLines.filter((line) => line.includes(service.origin))).toEqual([])
    })
  })
