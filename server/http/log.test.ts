// The log of calls with secrets has every call and no secret.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/api.ts'
import { API_BASE } from '#contract/paths.ts'
import { AUTH_COOKIE } from '#contract/accounts/session.ts'
import { call, type Member, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { logLineOf } from './log.ts'
import { mask } from './mask.ts'

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

/** Texts that no line may contain: every secret, and the part of an address before its host. */
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
  test('has every call, and no secret of any', async () => {
    lines.length = 0
    await callAll()
    expect(lines.length).toBeGreaterThan(endpoints.length)
    expect(lines.some((it) => it.includes('/api/auth/sign-in?…'))).toBe(true)
    expect(found()).toEqual([])
  })

  test('has no secret of a successful or failed sign-in, or of a page opened by an email’s link', async () => {
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

  test('has a failure of the database, but not the values of the query', async () => {
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
    ['{"m":"Key (a)=(O\\"Brien) already exists."}', '{"m":"Key (a)=([伏せました]) already exists."}'],
    ['{"m":"Key (a, b)=(1, x) is not present in"}', '{"m":"Key (a, b)=([伏せました]) is not present in"}'],
    ['{"m":"Key (a)=(secret","n":1}', '{"m":"Key (a)=([伏せました]","n":1}'],
    ['bearer%20%20abcdefghijklmnopqrstuvwxyz0123', 'bearer%20%20[伏せました]'],
    ['a@b@hanako.yamada@example.jp', 'a@b***@h***@example.jp'],
    ['a%40hanako%40example.jp', 'a***%40example.jp'],
    ['_.𠮷野家@example.jp と x@y.jp', '_.𠮷***@example.jp と x***@y.jp'],
  ])('%s is logged as %s', (line, masked) => expect(mask(line)).toBe(masked))

  const token = `${'aB3-_'.repeat(8)}xyz`
  test.each([
    // What is not exactly the field of the anchor is a token.
    `{"anchor":"${token}"}`,
    `{"anchor":"2:${token}."}`,
    `{"anchor":"2:3:${token}"}`,
    `{"anchor":"x2:${token}"}`,
    `{"myanchor":"2:${token}"}`,
    `{"token":"2:${token}"}`,
    `{"msg":"no \\"anchor\\":\\"2:${token}\\""}`,
    `{"msg":"audit verify --anchor 2:${token}"}`,
    `{"constraint":"${token}"}`,
    `{"msg":"constraint \\"${token}\\""}`,
    `{"msg":"key ${'a'.repeat(43)}"}`,
  ])('%s is masked', (line) => expect(mask(line)).toMatch(/\[伏せました\]/))

  test.each([
    `{"level":30,"anchor":"2:${token}","msg":"the audit log ends here"}`,
    `{"anchor":"123456789012345:${token}"}`,
    '{"err":{"constraint":"message_reactions_message_id_messages_id_fk"}}',
    '{"err":{"message":"violates foreign key constraint \\"notification_settings_user_id_setting_cd_pk\\""}}',
    // Digests, fingerprints of keys, tags of objects, commits, ids of traces and hashes of migrations.
    `{"sha256":"${'a1'.repeat(32)}","fingerprint":"785c31a246cefbd8","traceId":"${'a1'.repeat(16)}"}`,
    `{"etag":"\\"9b2cf535f27731c974343645a3985328-12\\"","commit":"${'a1'.repeat(20)}"}`,
    'POST /api/auth/sign-in 0198c0de-0000-7000-8000-000000000001',
    '2026-03-05T03:30:00.000Z pid 4711 @fastify/rate-limit node_modules/@fastify/cookie/index.js',
    `sha256 ${'a1'.repeat(32)}`,
  ])('%s is logged unchanged', (line) => expect(mask(line)).toBe(line))
})

describe('a long line', () => {
  const line = (it: object) => `${JSON.stringify({ level: 30, time: 1, reqId: 'r', msg: 'm', ...it })}\n`

  test('is cut before it is masked, text by text, and stays one line of JSON', () => {
    const long = logLineOf(line({ err: { message: `hanako@example.jp ${'a'.repeat(20_000)}`, code: 'x' } }))
    expect(long.length).toBeLessThan(1200)
    expect(long.endsWith('}\n')).toBe(true)
    const { err } = JSON.parse(long) as { err: { message: string; code: string } }
    expect(err.code).toBe('x')
    expect(err.message).toMatch(/^h\*\*\*@example\.jp a+…\(20018\)$/)
  })

  test('with many fields is reduced to time, request id and message', () => {
    const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`field${i}`, 'malformed']))
    const text = line({ fields, code: 'invalid' })
    expect(JSON.parse(logLineOf(text))).toEqual({
      level: 30,
      time: 1,
      reqId: 'r',
      msg: 'm',
      code: 'invalid',
      cutFrom: text.length,
    })
  })

  test('of a request has only the beginning of its path', async () => {
    lines.length = 0
    await world.app.inject({ url: `/${'a.'.repeat(7000)}` })
    expect(lines.length).toBeGreaterThan(0)
    expect(Math.max(...lines.map((it) => it.length))).toBeLessThan(2500)
  })
})
