// Sessions, as specified in sections 4, 5 and 7.
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '#server/services/auth/authenticate.ts'
import { call, errorOf, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe('signing in', () => {
  test('an unknown address and a wrong password get the same reply', async () => {
    const unknown = await call(world, null, 'POST', '/auth/sign-in', {
      email: 'no@example.com',
      password: 'todoke-1234',
    })
    const { email } = await signUp(world)
    const wrong = await call(world, null, 'POST', '/auth/sign-in', {
      email,
      password: 'todoke-9999',
    })
    expect([unknown.statusCode, wrong.statusCode]).toEqual([401, 401])
    expect(unknown.body).toBe(wrong.body)
    expect(errorOf(unknown).code).toBe('wrong_credentials')
  })

  test('the stored session has the token’s hash and not the token', async () => {
    const { email } = await signUp(world)
    const reply = await call(world, null, 'POST', '/auth/sign-in', { email, password: PASSWORD })
    const { token } = reply.json<{ token: string }>()
    const { rows } = await world.database.executeSql('select token_hash from sessions')
    const stored = JSON.stringify(rows)
    expect(stored).toContain(hashToken(token))
    expect(stored).not.toContain(token)
  })
})

describe('a session', () => {
  test('is recognised by the Authorization header', async () => {
    const member = await signUp(world)
    const reply = await call(world, member, 'GET', '/auth/session')
    expect(reply.json()).toMatchObject({ user: { id: member.id, email: member.email } })
  })

  test('is recognised by the cookie for reading, and not for changes', async () => {
    const member = await signUp(world)
    const cookie = { cookie: `todoke_token=${encodeURIComponent(`Bearer ${member.token}`)}` }
    const reading = await call(world, null, 'GET', '/auth/session', undefined, cookie)
    const changing = await call(world, null, 'POST', '/auth/sign-out', undefined, cookie)
    expect(reading.statusCode).toBe(200)
    expect([changing.statusCode, errorOf(changing).code]).toEqual([401, 'unauthenticated'])
    expect((await call(world, member, 'GET', '/auth/session')).statusCode).toBe(200)
  })

  test('ends with sign-out, and the others continue', async () => {
    const member = await signUp(world)
    const secondSignIn = await call(world, null, 'POST', '/auth/sign-in', {
      email: member.email,
      password: PASSWORD,
    })
    expect((await call(world, member, 'POST', '/auth/sign-out')).json()).toEqual({ signed_out: true })
    expect(errorOf(await call(world, member, 'GET', '/auth/session')).code).toBe('unauthenticated')
    const other = { ...member, auth: { authorization: `Bearer ${secondSignIn.json().token}` } }
    expect((await call(world, other, 'GET', '/auth/session')).statusCode).toBe(200)
  })

  test('ends after 365 days', async () => {
    const member = await signUp(world)
    const start = world.clock.now
    world.clock.now = start + 364.9 * 86_400_000
    const before = await call(world, member, 'GET', '/auth/session')
    world.clock.now = start + 365.1 * 86_400_000
    const after = await call(world, member, 'GET', '/auth/session')
    world.clock.now = start
    expect([before.statusCode, after.statusCode]).toEqual([200, 401])
  })

  test('records its last use at most once a minute', async () => {
    const member = await signUp(world)
    const lastUse = async () => {
      const { rows } = (await world.deps.db.execute(
        sql`select last_used_at as at from sessions where token_hash = ${hashToken(member.token)}`,
      )) as { rows: { at: unknown }[] }
      return String(rows[0]?.at)
    }
    const first = await lastUse()
    world.clock.now += 30_000
    await call(world, member, 'GET', '/auth/session')
    expect(await lastUse()).toBe(first)
    world.clock.now += 31_000
    await call(world, member, 'GET', '/auth/session')
    expect(await lastUse()).not.toBe(first)
  })
})
