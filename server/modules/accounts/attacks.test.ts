// Requests with unexpected fields, shapes or lengths, which must have no effect.
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/api.ts'
import { newId } from '#contract/ids.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const rowOf = async ({ id }: Member) => {
  const { rows } = (await world.deps.db.execute(
    sql`select email, password_hash, role, identified_at, deleted_at, created_at from users where id = ${id}`,
  )) as { rows: unknown[] }
  return rows[0]
}

describe('a session', () => {
  test('gets a new token from the server at every sign-in, whatever token the client sends', async () => {
    const member = await signUp(world)
    const sentToken = 'p'.repeat(43)
    const body = { email: member.email, password: PASSWORD, token: sentToken, session_id: newId() }
    const headers = {
      authorization: `Bearer ${sentToken}`,
      cookie: `todoke_token=${encodeURIComponent(`Bearer ${sentToken}`)}`,
    }
    const tokens: string[] = []
    for (let i = 0; i < 2; i++) {
      const reply = await call(world, null, 'POST', '/auth/sign-in', body, headers)
      tokens.push(reply.json().token)
    }
    expect(new Set([...tokens, sentToken, member.token]).size).toBe(4)
    const asSentToken = await call(world, null, 'GET', '/auth/session', undefined, headers)
    expect(errorOf(asSentToken).code).toBe('unauthenticated')
  })

  test('is not validated by the validation of another member’s session', async () => {
    const [member, stranger] = [await signUp(world), await signUp(world)]
    await validate(world, stranger)
    const reply = await call(world, member, 'PUT', '/auth/password', { password: 'asagiri-2026' })
    expect(errorOf(reply).code).toBe('validation_required')
  })
})

describe('a request body', () => {
  const extraFields = (id: string) => ({
    id,
    user_id: id,
    role: 'admin',
    identified_at: '2020-01-01T00:00:00Z',
    identified: true,
    email_verified: true,
    validated_at: '2099-01-01T00:00:00Z',
    deleted_at: null,
    password_hash: 'x',
    purpose: 'reset',
  })

  test('with a role, proofs or the id of another member changes neither member', async () => {
    const [member, victim] = [await signUp(world), await signUp(world)]
    const before = [await rowOf(member), await rowOf(victim)]
    const info = { name: '名前', legal_name: '', legal_name_kana: '', birth_date: '1990-04-01' }
    const replies = [
      await call(world, member, 'PUT', '/auth/info', { ...info, ...extraFields(victim.id) }),
      await call(world, member, 'POST', '/auth/validation', { password: 'wrong', ...extraFields(victim.id) }),
      await call(world, member, 'POST', '/auth/email/code', { code: '123456', ...extraFields(victim.id) }),
      await call(world, member, 'POST', '/auth/email', { email: 'a@example.com', ...extraFields(victim.id) }),
      await call(world, null, 'POST', '/auth/reset', { email: member.email, ...extraFields(victim.id) }),
    ]
    expect(replies.map((it) => it.statusCode)).toEqual([200, 422, 422, 403, 200])
    expect([await rowOf(member), await rowOf(victim)]).toEqual(before)
    expect(await emailsTo(world, victim.email)).toEqual([])
  })

  test('of another shape is refused as invalid by every account endpoint', async () => {
    const member = await signUp(world)
    await validate(world, member)
    const calls = endpoints.filter(
      (endpoint) =>
        endpoint.path.startsWith('/auth/') &&
        endpoint.path.split('/').length < 5 &&
        'body' in endpoint &&
        !('params' in endpoint),
    )
    expect(calls.length).toBeGreaterThan(8)
    for (const { method, path } of calls) {
      for (const body of [[], 'text', 1, { email: {}, password: [], code: 1, token: null }]) {
        const reply = await call(world, member, method, path, JSON.stringify(body), {
          'content-type': 'application/json',
        })
        expect([path, reply.statusCode, errorOf(reply).code]).toEqual([path, 422, 'invalid'])
      }
    }
  })

  test('with a very long value is refused as invalid', async () => {
    const long = 'a'.repeat(100_000)
    const bodies = {
      '/auth/sign-up': { email: `${long}@example.com`, password: long, name: long },
      '/auth/sign-up/confirm': { token: long, claim: long, password: long },
      '/auth/sign-in': { email: 'a@example.com', password: long },
      '/auth/reset': { email: `${long}@example.com` },
      '/auth/reset/code': { request_id: 'a'.repeat(43), code: '1'.repeat(100_000) },
      '/auth/reset/password': { password_reset_token: long, password: long },
    }
    for (const [path, body] of Object.entries(bodies)) {
      const reply = await call(world, null, 'POST', path, body)
      expect([path, reply.statusCode, errorOf(reply).code]).toEqual([path, 422, 'invalid'])
    }
  })
})
