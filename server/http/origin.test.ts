// Origins whose pages may send requests that change something.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AUTH_COOKIE } from '#contract/accounts/session.ts'
import { API_BASE, TUS_PATH } from '#contract/paths.ts'
import { errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let member: Member
beforeAll(async () => {
  world = await openWorld({
    settings: {
      corsOrigins: ['https://named.example'],
      origins: ['https://named.example', 'https://todoke.example'],
    },
  })
  member = await signUp(world)
})
afterAll(() => world.close())

const HOST = 'todoke.internal:8787'

async function post(headers: Record<string, string>, url = `${API_BASE}/auth/sign-in`): Promise<string> {
  const payload = { email: 'unknown@example.com', password: 'todoke-1234' }
  const reply = await world.app.inject({ method: 'POST', url, payload, headers: { host: HOST, ...headers } })
  return `${reply.statusCode} ${errorOf(reply).code}`
}

const ALLOWED = '401 wrong_credentials'
const REFUSED = '403 forbidden_origin'

describe('a call that changes something', () => {
  test.each([
    ['a page of the server’s own host', { origin: `http://${HOST}` }],
    ['that host behind a proxy that ends TLS', { origin: `https://${HOST}` }],
    ['the public address (PUBLIC_URL)', { origin: 'https://todoke.example' }],
    ['a configured origin (CORS_ORIGINS)', { origin: 'https://named.example' }],
    ['a client without an origin, which is no browser', {}],
    ['a browser with Sec-Fetch-Site same-origin', { 'sec-fetch-site': 'same-origin' }],
  ])('is allowed from %s', async (_who, headers) => {
    expect(await post(headers as Record<string, string>)).toBe(ALLOWED)
  })

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a configured host with another scheme', { origin: 'http://named.example' }],
    ['a configured host on another port', { origin: 'https://named.example:8443' }],
    ['a host that only ends like the server’s', { origin: 'https://evil.todoke.example' }],
    ['a host that only begins like the server’s', { origin: `http://${HOST}.evil.example` }],
    ['a page without an origin (sandbox, file)', { origin: 'null' }],
    ['an invalid origin', { origin: 'todoke.internal' }],
    ['a browser with Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a browser with Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site' }],
  ])('is refused from %s', async (_who, headers) => {
    expect(await post(headers as Record<string, string>)).toBe(REFUSED)
  })

  test('is refused from another site also with a valid token, and changes nothing', async () => {
    const foreign = { origin: 'https://evil.example' }
    const cookie = { cookie: `${AUTH_COOKIE}=${encodeURIComponent(`Bearer ${member.token}`)}` }
    const out = `${API_BASE}/auth/sign-out`
    expect(await post({ ...foreign, ...cookie }, out)).toBe(REFUSED)
    expect(await post({ ...foreign, ...member.auth }, out)).toBe(REFUSED)
    const session = await world.app.inject({ url: `${API_BASE}/auth/session`, headers: member.auth })
    expect(session.statusCode).toBe(200)
  })

  test('is checked against the Host header, not against X-Forwarded-Host', async () => {
    expect(await post({ origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' })).toBe(REFUSED)
  })

  test('covers uploads as well', async () => {
    const begin = (origin: string) =>
      world.app.inject({
        method: 'POST',
        url: TUS_PATH,
        headers: { host: HOST, origin, 'tus-resumable': '1.0.0', 'upload-length': '1', ...member.auth },
      })
    expect(errorOf(await begin('https://evil.example')).code).toBe('forbidden_origin')
    expect((await begin(`http://${HOST}`)).statusCode).not.toBe(403)
  })
})

test('reading is allowed from every origin; CORS decides what its page may read', async () => {
  const reply = await world.app.inject({
    url: `${API_BASE}/operator`,
    headers: { origin: 'https://evil.example' },
  })
  expect([reply.statusCode, reply.headers['access-control-allow-origin']]).toEqual([200, undefined])
})
