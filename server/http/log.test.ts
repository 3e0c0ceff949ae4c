// What the log keeps of calls that carry secrets: that they came, and nothing of what they carried.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/api.ts'
import { API_BASE } from '#contract/paths.ts'
import { AUTH_COOKIE } from '#contract/session.ts'
import { call, type Member, PASSWORD, signUp } from '#server/testing/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { mask } from './log.ts'

let world: World
let member: Member
const lines: string[] = []
beforeAll(async () => {
  const logTo = { write: (line: string) => void lines.push(line) }
  world = await openWorld({ settings: { logLevel: 'trace', logTo } })
  member = await signUp(world)
})
afterAll(() => world.close())

const SECRETS = {
  email: 'hanako.yamada@secret.example',
  new_email: 'yamada.hanako@secret.example',
  password: 'HimitsuNoKotoba-1',
  current_password: 'HimitsuNoKotoba-2',
  new_password: 'HimitsuNoKotoba-3',
  password_confirmation: 'HimitsuNoKotoba-4',
  code: '718293',
  token: 'himitsu-token-0123456789-0123456789-01234567',
  claim: 'himitsu-claim-0123456789-0123456789-01234567',
  password_reset_token: 'himitsu-reset-0123456789-0123456789-0123456',
}

/** What must stand in no line: every secret, and of an address what comes before its host. */
const hidden = () => [
  ...Object.values(SECRETS).filter((it) => !it.includes('@')),
  'hanako.yamada',
  'yamada.hanako',
  member.token,
  member.email,
]

function found(): string[] {
  const log = lines.join('')
  return hidden().filter((it) => log.includes(it) || log.includes(encodeURIComponent(it)))
}

async function callAll(): Promise<void> {
  const query = new URLSearchParams(SECRETS).toString()
  for (const { method, path } of endpoints)
    for (const headers of [{}, member.auth, { cookie: `${AUTH_COOKIE}=Bearer%20${member.token}` }])
      await world.app.inject({
        method,
        url: `${API_BASE}${path.replaceAll(/:[a-z_]+/g, member.id)}?${query}`,
        headers,
        ...(method === 'GET' ? {} : { payload: SECRETS }),
      })
}

describe('the log of a whole server', () => {
  test('tells of every call and holds no secret of any', async () => {
    lines.length = 0
    await callAll()
    expect(lines.length).toBeGreaterThan(endpoints.length)
    expect(lines.some((it) => it.includes('/api/auth/sign-in?…'))).toBe(true)
    expect(found()).toEqual([])
  })

  test('nor of a sign-in that succeeds, one that fails, and a page opened by a letter’s link', async () => {
    lines.length = 0
    const { email } = member
    await call(world, null, 'POST', '/auth/sign-in', { email, password: PASSWORD })
    const reply = await call(world, null, 'POST', '/auth/sign-in', { email, password: SECRETS.password })
    await world.app.inject({ url: `/confirmed?token=${SECRETS.token}` })
    await call(world, null, 'POST', '/auth/sign-in', `{"email":"${SECRETS.email}","password":`, {
      'content-type': 'application/json',
    })
    expect(reply.statusCode).toBe(401)
    expect([...found(), lines.join('').includes(PASSWORD)]).toEqual([false])
  })

  test('nor when the database refuses: the failure is told, what was asked is not', async () => {
    const broken = await openWorld({
      settings: { logLevel: 'trace', logTo: { write: (line) => void lines.push(line) } },
    })
    lines.length = 0
    await broken.database.executeSql('alter table users rename to gone')
    const reply = await call(broken, null, 'POST', '/auth/sign-in', {
      email: SECRETS.email,
      password: SECRETS.password,
    })
    await broken.close()
    expect(reply.statusCode).toBe(500)
    expect(lines.join('')).toContain('Failed query')
    expect(found()).toEqual([])
  })
})

describe('a line', () => {
  test.each([
    ['to hanako.yamada@mail.example.co.jp', 'to h***@mail.example.co.jp'],
    ['?email=hanako.yamada%40example.jp', '?email=h***%40example.jp'],
    ['花子@example.jp', '花***@example.jp'],
    ['Bearer abcdefghijklmnopqrstuvwxyz0123', 'Bearer [伏せました]'],
    [`token ${'aB3-_'.repeat(8)}xyz.`, 'token [伏せました].'],
    ['{"msg":"q\\nparams: a@b.jp,O\\"Brien\\n    at x"}', '{"msg":"q\\nparams: [伏せました]\\n    at x"}'],
    ['{"m":"q\\nparams: secret","x":1}', '{"m":"q\\nparams: [伏せました]","x":1}'],
    ['Key (lower(email))=(a) already exists.', 'Key (lower(email))=([伏せました]) already exists.'],
  ])('%s is kept as %s', (line, kept) => expect(mask(line)).toBe(kept))

  test.each([
    'POST /api/auth/sign-in 0198c0de-0000-7000-8000-000000000001',
    '2026-03-05T03:30:00.000Z pid 4711 @fastify/rate-limit node_modules/@fastify/cookie/index.js',
    `sha256 ${'a1'.repeat(32)}`,
  ])('%s is kept as it is', (line) => expect(mask(line)).toBe(line))
})
