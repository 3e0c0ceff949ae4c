// Environment variables: their defaults, and one sentence for each invalid one.
import { createECDH } from 'node:crypto'
import path from 'node:path'
import { expect, test } from 'vitest'
import { senderOf } from './mail.ts'
import { EnvError, readEnv } from './env.ts'

const sentencesOf = (source: Record<string, string>): readonly string[] => {
  try {
    readEnv(source)
    return []
  } catch (error) {
    return error instanceof EnvError ? error.sentences : [`unexpected ${String(error)}`]
  }
}

const operator = {
  OPERATOR_NAME: '株式会社見本',
  OPERATOR_EMAIL: 'contact@todoke.test',
  SMTP_URL: 'smtps://relay.test',
}

test('an empty environment serves the demo on 127.0.0.1:8787 from ./data', () => {
  expect(readEnv({})).toMatchObject({
    PORT: 8787,
    HOST: '127.0.0.1',
    DATA_DIR: path.resolve('data'),
    DATABASE_URL: '',
    SEED_DEMO: true,
    RATE_LIMITS: true,
    CORS_ORIGINS: [],
  })
})

test('the description of the API is served outside production, and in production only if configured', () => {
  const production = { ...operator, NODE_ENV: 'production' }
  expect(readEnv({}).API_DOCS).toBe(true)
  expect(readEnv(production).API_DOCS).toBe(false)
  expect(readEnv({ ...production, API_DOCS: '1' }).API_DOCS).toBe(true)
})

test('a DATA_DIR is made absolute', () => {
  expect(readEnv({ DATA_DIR: 'here' }).DATA_DIR).toBe(path.resolve('here'))
})

test('every wrong variable gets a sentence that names it', () => {
  const sentences = sentencesOf({
    PORT: 'eighty',
    DATABASE_URL: 'mysql://x',
    LOG_LEVEL: 'loud',
    SEED_DEMO: 'maybe',
  })
  expect(sentences).toHaveLength(4)
  for (const name of ['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'SEED_DEMO']) {
    expect(sentences.filter((it) => it.includes(` ${name} `))).toHaveLength(1)
  }
})

test('production makes no demo people, and refuses SEED_DEMO', () => {
  expect(readEnv({ NODE_ENV: 'production', ...operator }).SEED_DEMO).toBe(false)
  expect(sentencesOf({ NODE_ENV: 'production', SEED_DEMO: '1', ...operator })).toEqual([
    expect.stringContaining('SEED_DEMO'),
  ])
})

test('REDIS_URL is empty or the URL of a Redis', () => {
  expect(readEnv({}).REDIS_URL).toBe('')
  expect(readEnv({ REDIS_URL: 'rediss://:secret@cache.internal:6380/2' }).REDIS_URL).toContain(
    'cache.internal',
  )
  const sentinels = 'redis+sentinel://one:26379,two:26379/main'
  expect(readEnv({ REDIS_URL: sentinels }).REDIS_URL).toBe(sentinels)
  const cluster = 'redis+cluster://me:secret@one:6379,two:6379'
  expect(readEnv({ REDIS_URL: cluster }).REDIS_URL).toBe(cluster)
  for (const REDIS_URL of [
    'cache.internal',
    'http://cache.internal',
    'redis:cache',
    'redis+sentinel://%@one/main',
    'redis+cluster://one/main',
  ])
    expect(sentencesOf({ REDIS_URL })).toEqual([expect.stringContaining('REDIS_URL')])
})

test('origins are parsed, and an invalid one is refused', () => {
  expect(readEnv({ CORS_ORIGINS: 'https://a.example/, http://localhost:5173' }).CORS_ORIGINS).toEqual([
    'https://a.example',
    'http://localhost:5173',
  ])
  expect(sentencesOf({ CORS_ORIGINS: 'everyone' })).toEqual([expect.stringContaining('CORS_ORIGINS')])
})

test('production does not start without the operator’s name and email address, and names the missing one', () => {
  expect(sentencesOf({ NODE_ENV: 'production', SMTP_URL: 'smtps://relay.test' })).toEqual([
    expect.stringContaining(' OPERATOR_NAME '),
    expect.stringContaining(' OPERATOR_EMAIL '),
  ])
  expect(sentencesOf({ NODE_ENV: 'production', ...operator, OPERATOR_EMAIL: ' ' })).toEqual([
    expect.stringContaining(' OPERATOR_EMAIL '),
  ])
  expect(sentencesOf({ NODE_ENV: 'production', ...operator })).toEqual([])
  expect(sentencesOf({})).toEqual([])
})

test('production does not start with the values of an example, and names each', () => {
  const examples = {
    OPERATOR_NAME: '株式会社とどけ',
    OPERATOR_EMAIL: 'contact@todoke.example',
    MAIL_FROM: 'とどけ <no-reply@example.com>',
    ADMIN_EMAILS: 'you@todoke.test,admin@todoke.example',
    SMTP_URL: 'smtps://user:password@relay.example:465',
  }
  expect(sentencesOf({ NODE_ENV: 'production', ...examples })).toEqual(
    Object.keys(examples).map(
      (name) => `環境変数 ${name} が見本の値のままです。このサイトの値にしてください。`,
    ),
  )
  expect(sentencesOf(examples)).toEqual([])
})

test('production does not start without a mail relay, and reports it in one sentence', () => {
  expect(sentencesOf({ NODE_ENV: 'production', ...operator, SMTP_URL: '' })).toEqual([
    expect.stringContaining(' SMTP_URL '),
  ])
  expect(readEnv({ SMTP_URL: '' }).SMTP_URL).toBe('')
})

test('emails come from MAIL_FROM, else from the operator', () => {
  expect(senderOf(readEnv({ ...operator, MAIL_FROM: 'とどけ <hello@todoke.example>' }))).toBe(
    'とどけ <hello@todoke.example>',
  )
  expect(senderOf(readEnv(operator))).toBe('とどけ <contact@todoke.test>')
})

test.each([
  ['SMTP_URL', 'http://relay.example'],
  ['X_ACCEL_PREFIX', 'stored'],
  ['X_ACCEL_PREFIX', '/stored/'],
  ['X_ACCEL_PREFIX', '/'],
  ['X_ACCEL_PREFIX', '/a b'],
  ['X_ACCEL_PREFIX', '/../a'],
  ['X_ACCEL_STORE', 'yes'],
  ['MAIL_FROM', 'todoke'],
  ['MAIL_FROM', 'とどけ <a@b.example> <c@d.example>'],
  ['OPERATOR_EMAIL', 'contact'],
  ['OPERATOR_PHONE', '電話なし'],
  ['OPERATOR_INVOICE_NUMBER', '1234567890123'],
  ['OPERATOR_INVOICE_NUMBER', 'T123456789012'],
  ['OPERATOR_EFFECTIVE_DATE', '令和8年11月21日'],
])('%s refuses %s', (name, value) => {
  expect(sentencesOf({ [name]: value })).toEqual([expect.stringContaining(` ${name} `)])
})

test('the keys of web push are a pair, or both empty', () => {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  const privateKey = pair.getPrivateKey('base64url').padStart(43, 'A')
  expect(readEnv({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey })).toMatchObject({
    VAPID_PUBLIC_KEY: publicKey,
  })
  expect(sentencesOf({ VAPID_PUBLIC_KEY: publicKey })).toEqual([expect.stringContaining('両方')])
  const other = `${'A'.repeat(42)}E`
  expect(sentencesOf({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: other })).toEqual([
    expect.stringContaining('組になっていません'),
  ])
})

test('production refuses a test double of a push service', () => {
  const PUSH_STAND_IN = 'https://localhost:8443/'
  expect(readEnv({ PUSH_STAND_IN }).PUSH_STAND_IN).toBe('https://localhost:8443')
  expect(sentencesOf({ NODE_ENV: 'production', PUSH_STAND_IN, ...operator })).toEqual([
    expect.stringContaining('PUSH_STAND_IN'),
  ])
})

test('a process with a role needs the database and the Redis that it shares with the others', () => {
  expect(readEnv({}).ROLE).toBe('all')
  const shared = { DATABASE_URL: 'postgres://db/todoke', REDIS_URL: 'redis://cache' }
  for (const ROLE of ['web', 'worker']) {
    expect(readEnv({ ROLE, ...shared }).ROLE).toBe(ROLE)
    expect(sentencesOf({ ROLE })).toEqual([
      expect.stringContaining('DATABASE_URL'),
      expect.stringContaining('REDIS_URL'),
    ])
  }
  const service = { REVERB_HOST: 'live', REVERB_APP_ID: '1', REVERB_APP_KEY: 'k', REVERB_APP_SECRET: 's' }
  expect(sentencesOf({ ROLE: 'web', DATABASE_URL: shared.DATABASE_URL, ...service })).toEqual([])
  expect(sentencesOf({ ROLE: 'both' })).toEqual([expect.stringContaining(' ROLE ')])
})
