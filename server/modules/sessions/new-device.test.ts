// A sign-in on a device that is new to an account causes an email.
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepSessions } from './expiry.ts'

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
const SAFARI_LATER = SAFARI.replaceAll('18_1', '18_2').replace('18.1', '18.2')
const EDGE =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0'
const DAY = 24 * 3600_000

for (const { kind, available } of databases)
  describe.skipIf(!available)(`on ${kind}`, () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const signIn = (member: Member, userAgent: string) => {
      const credentials = { email: member.email, password: 'todoke-1234' }
      return call(world, null, 'POST', '/auth/sign-in', credentials, { 'user-agent': userAgent })
    }
    async function emails() {
      const { rows } = (await world.deps.db.execute(sql`select id from letters order by created_at`)) as {
        rows: { id: string }[]
      }
      const read = await Promise.all(rows.map(({ id }) => world.deps.outbox.read(world.deps.db, id)))
      return read.flatMap((email) => email ?? [])
    }
    const emailsTo = async ({ email }: Member) =>
      (await emails()).filter((it) => it.to.email === email).map((it) => it.email)

    test('the first device causes no email, the second causes one with its name and place', async () => {
      const member = await signUp(world)
      await signIn(member, SAFARI)
      expect(await emailsTo(member)).toEqual([])
      await signIn(member, EDGE)
      expect(await emailsTo(member)).toEqual([
        { is: 'new_sign_in', device: 'Windows の Edge', place: '127.0.0.1', at: world.clock.now },
      ])
    })

    test('a known device causes no further email, neither after a sign-out nor with a later version', async () => {
      const member = await signUp(world)
      await signIn(member, EDGE)
      const { token } = (await signIn(member, SAFARI)).json<{ token: string }>()
      await call(world, null, 'POST', '/auth/sign-out', undefined, { authorization: `Bearer ${token}` })
      await signIn(member, SAFARI)
      await signIn(member, SAFARI_LATER)
      expect(await emailsTo(member)).toHaveLength(1)
    })

    test('two concurrent sign-ins on a new device cause one email', async () => {
      const member = await signUp(world)
      await signIn(member, EDGE)
      await Promise.all([signIn(member, SAFARI), signIn(member, SAFARI)])
      expect(await emailsTo(member)).toHaveLength(1)
    })

    test('a wrong password causes no email', async () => {
      const member = await signUp(world)
      await signIn(member, EDGE)
      const wrong = { email: member.email, password: 'todoke-9999' }
      await call(world, null, 'POST', '/auth/sign-in', wrong, { 'user-agent': SAFARI })
      expect(await emailsTo(member)).toEqual([])
    })

    test('a device is removed a year after its last sign-in, and is a new one then', async () => {
      const member = await signUp(world)
      await signIn(member, SAFARI)
      world.clock.now += 200 * DAY
      await signIn(member, EDGE)
      world.clock.now += 200 * DAY
      await sweepSessions(world.deps)
      await signIn(member, SAFARI)
      expect((await emailsTo(member)).map((it) => 'device' in it && it.device)).toEqual([
        'Windows の Edge',
        'iPhone の Safari',
      ])
    })
  })
