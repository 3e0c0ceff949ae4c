// Malicious request bodies are refused with their codes, without server errors or leaks.
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_BASE } from '#contract/paths.ts'
import { call, errorOf, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function send(payload: InjectOptions['payload'], type = 'application/json'): Promise<string> {
  const headers = { 'content-type': type }
  const url = `${API_BASE}/auth/sign-in`
  const reply = await world.app.inject({ method: 'POST', url, headers, ...(payload && { payload }) })
  return `${reply.statusCode} ${errorOf(reply).code}`
}

const person = { email: 'a@example.com', password: PASSWORD }
const json = JSON.stringify(person)
const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)

describe('invalid JSON', () => {
  test.each([
    ['an incomplete object', '{"email":"a@example.com"'],
    ['two objects', '{}{}'],
    ['a stray comma', `${json.slice(0, -1)},}`],
    ['single quotes', "{'email':'a'}"],
    ['a control character', '{"email":"a\u0000"}'],
    ['nothing', ''],
    ['another encoding', Buffer.from(json, 'utf16le')],
  ])('%s is bad_json', async (_what, body) => {
    expect(await send(body === '' ? Buffer.alloc(0) : body)).toBe('400 bad_json')
  })
})

describe('JSON of the wrong shape', () => {
  test.each([
    ['a list', '[]'],
    ['a number', '5'],
    ['a word', '"email"'],
    ['true', 'true'],
    ['a list instead of a text', JSON.stringify({ ...person, email: ['a@example.com'] })],
    ['an object instead of a text', JSON.stringify({ ...person, password: { $ne: '' } })],
    ['nesting a hundred thousand deep', deep('[', ']', 100_000)],
    ['the same inside a field', `{"email":${deep('{"a":', '', 1).repeat(20_000)}1${'}'.repeat(20_000)}}`],
  ])('%s is invalid', async (_what, body) => expect(await send(body)).toBe('422 invalid'))

  test('null is treated as a form without fields', async () => expect(await send('null')).toBe('422 invalid'))
})

describe('keys that pollute the prototype', () => {
  test.each([
    `{"__proto__":{"role":"admin"},${json.slice(1)}`,
    `{"constructor":{"prototype":{"role":"admin"}},${json.slice(1)}`,
    `{"\\u005f_proto__":{},${json.slice(1)}`,
  ])('%s is bad_json, and changes no object', async (body) => {
    expect(await send(body)).toBe('400 bad_json')
    expect(({} as { role?: unknown }).role).toBeUndefined()
  })
})

describe('the wrong type', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'application/jsonp',
    'image/svg+xml',
  ])('%s is unsupported_media, so that forms of other sites are refused', async (type) => {
    expect(await send(json, type)).toBe('415 unsupported_media')
  })

  test('a body without a type is unsupported_media', async () => {
    const url = `${API_BASE}/auth/sign-in`
    const reply = await world.app.inject({ method: 'POST', url, payload: Buffer.from(json) })
    expect([reply.statusCode, errorOf(reply).code]).toEqual([415, 'unsupported_media'])
  })
})

describe('too much', () => {
  test.each([
    ['a field of two megabytes', JSON.stringify({ ...person, email: 'x'.repeat(2 * 1024 * 1024) })],
    ['two megabytes of spaces', ' '.repeat(2 * 1024 * 1024) + json],
  ])('%s is too_large', async (_what, body) => expect(await send(body)).toBe('413 too_large'))

  test('a false content-length above the limit is refused before a byte is read', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': String(5 * 1024 ** 3) }
    const url = `${API_BASE}/auth/sign-in`
    const reply = await world.app.inject({ method: 'POST', url, headers, payload: json })
    expect([reply.statusCode, errorOf(reply).code]).toEqual([413, 'too_large'])
  })

  test('a password of a megabyte is refused without being hashed', async () => {
    const long = JSON.stringify({ ...person, password: 'a1'.repeat(250_000) })
    expect(await send(long)).toBe('422 invalid')
  })
})

test('fields that a form does not have, such as a role, are ignored', async () => {
  const more = {
    role: 'admin',
    is_admin: true,
    id: '00000000-0000-4000-8000-000000000000',
    verified: true,
    identity: 'approved',
    suspended_at: null,
    deletion_due: null,
    created_at: '1990-01-01T00:00:00Z',
  }
  const member = await signUp(world)
  const before = await call(world, member, 'GET', '/auth/session')
  const reply = await call(world, null, 'POST', '/auth/sign-in', {
    email: member.email,
    password: PASSWORD,
    ...more,
  })
  expect(reply.json().user).toEqual(before.json().user)
  expect(before.json().user).toMatchObject({ id: member.id, role: 'member' })
})
