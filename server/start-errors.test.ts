// The sentence of each error that ends a start.
import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { NotConnected } from './adapters/database/connecting.ts'
import { DatabaseDamaged, DatabaseVersionDiffers } from './adapters/database/embedded/refusals.ts'
import { FolderInUse } from './adapters/database/folder-in-use.ts'
import { SchemaNewer } from './adapters/database/migrate.ts'
import { refuseOld } from './adapters/database/own-session.ts'
import { KeyFileUnreadable } from './adapters/key-file-unreadable.ts'
import { AppUnreadable } from './http/app/pages.ts'
import { startSentence } from './start-errors.ts'

const env = { DATA_DIR: '/var/lib/todoke', DATABASE_URL: '', HOST: '10.0.0.9', PORT: 80 }
const external = { ...env, DATABASE_URL: 'postgres://todoke@db/todoke' }

const withCode = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more })
const refused = (code: string, message = code) =>
  new NotConnected(Object.assign(new Error(message), { code }))
const failed = (code: string) => new DrizzleQueryError('create table t', [], withCode(code))
const severalAddresses = new NotConnected(
  Object.assign(new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]), {
    code: 'ECONNREFUSED',
  }),
)

const database: [string, unknown, string][] = [
  ['no server', refused('ECONNREFUSED'), 'に接続できません。PostgreSQL が起動しているか'],
  ['no server at any address', severalAddresses, 'に接続できません。PostgreSQL が起動しているか'],
  ['a server that does not reply', new NotConnected(new Error('timeout expired')), 'に接続できません。'],
  ['an unknown host', refused('ENOTFOUND'), 'サーバーの名前が見つかりません。'],
  ['a wrong password', refused('28P01'), 'ログインを拒否しました。'],
  ['no rule for this client', refused('28000'), 'pg_hba.conf'],
  ['no database', refused('3D000'), '名前のデータベースがありません。'],
  ['no right to make tables', failed('42501'), '権限がありません。'],
  ['a standby', failed('25006'), '書き込めない複製'],
  ['no connection left', refused('53300'), 'max_connections'],
  ['a full disk of PostgreSQL', failed('53100'), 'ディスクかメモリが足りません'],
  ['a table that is locked', failed('55P03'), 'pg_stat_activity'],
  ['a server that starts', refused('57P03'), '少し待ってから'],
  ['a damaged page', failed('XX001'), '壊れています。'],
  ['an unknown certificate', refused('SELF_SIGNED_CERT_IN_CHAIN'), 'NODE_EXTRA_CA_CERTS'],
  ['an expired certificate', refused('CERT_HAS_EXPIRED'), '証明書'],
  ['no TLS', new NotConnected(new Error('The server does not support SSL connections')), 'sslmode を外して'],
]
test.each(database)('PostgreSQL with %s', (_, error, what) => {
  const sentence = startSentence(error, external)
  expect(sentence).toContain(what)
  expect(sentence).toMatch(/^[^\n]+ください。$/)
})

const local: [string, unknown, string][] = [
  ['a port in use', withCode('EADDRINUSE', { syscall: 'listen' }), 'ポート 80 はすでに使われています。'],
  ['a port that needs root', withCode('EACCES', { syscall: 'listen' }), 'ポート 80 を開く権限がありません。'],
  ['an address of another machine', withCode('EADDRNOTAVAIL', { syscall: 'listen' }), 'HOST の 10.0.0.9 で'],
  [
    'an unknown address',
    withCode('ENOTFOUND', { syscall: 'getaddrinfo' }),
    '10.0.0.9 という名前が見つかりません',
  ],
  ['a folder of another user', withCode('EACCES', { path: '/var/lib/todoke/media' }), 'に書き込めません。'],
  ['a folder that cannot be made', withCode('EACCES', { path: '/var/lib' }), 'に書き込めません。'],
  ['a disk that is only read', withCode('EROFS', { path: '/var/lib/todoke' }), '読み取り専用'],
  ['a full disk', withCode('ENOSPC', { path: '/var/lib/todoke/tmp/x' }), 'ディスクがいっぱいです。'],
  ['a file as the folder', withCode('EEXIST', { path: '/var/lib/todoke' }), 'フォルダーではありません。'],
  ['a lock that cannot be opened', withCode('ERR_SQLITE_ERROR', { errcode: 14 }), 'に書き込めません。'],
  ['a lock on a full disk', withCode('ERR_SQLITE_ERROR', { errcode: 13 }), 'ディスクがいっぱいです。'],
  ['a lock on a broken disk', withCode('ERR_SQLITE_ERROR', { errcode: 266 }), '故障'],
  ['a folder in use', new FolderInUse('/var/lib/todoke'), '別のプロセスが使っています。'],
  [
    'a damaged database',
    new DatabaseDamaged('/d', 'x'),
    '壊れています（x）。バックアップから復元してください。',
  ],
  ['a database of another version', new DatabaseVersionDiffers('/d', '17', '18'), 'PostgreSQL 17'],
  ['a newer schema', new SchemaNewer(2), 'マイグレーション 2 件'],
  ['a damaged file of keys', new KeyFileUnreadable('/d', 'vapid.json', ''), 'vapid.json に戻してください。'],
  ['a broken build', new AppUnreadable('/dist'), 'npm run build'],
]
test.each(local)('a server with %s', (_, error, what) => {
  const sentence = startSentence(error, env)
  expect(sentence).toContain(what)
  expect(sentence?.includes('\n')).toBe(false)
})

const ofStore = (name: string, httpStatusCode?: number) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode } })
const store: [string, unknown, string][] = [
  ['no server', withCode('ECONNREFUSED', { $metadata: {} }), 'に接続できません。'],
  ['an unknown key', ofStore('InvalidAccessKeyId', 403), 'S3_ACCESS_KEY_ID'],
  ['a wrong secret, asked for a head', ofStore('403', 403), 'S3_SECRET_ACCESS_KEY'],
  ['another time', ofStore('RequestTimeTooSkewed', 403), '時計を合わせて'],
  ['no bucket', ofStore('NoSuchBucket', 404), 'のバケットがありません。'],
  ['a failure of its own', ofStore('InternalError', 500), 'に接続できません。'],
]
test.each(store)('an object store with %s', (_, error, what) => {
  const sentence = startSentence(error, external)
  expect(sentence).toContain(what)
  expect(sentence).toMatch(/^[^\n]+ください。$/)
})

test('too little memory has a sentence', () => {
  const errors = [
    withCode('ENOMEM', { syscall: 'spawn' }),
    new RangeError('WebAssembly.Memory(): could not allocate memory'),
    new RangeError('Array buffer allocation failed'),
    withCode('ERR_WORKER_OUT_OF_MEMORY'),
  ]
  for (const error of errors)
    expect(startSentence(error, env)).toMatch(/^メモリが足りません。[^\n]+ください。$/)
})

test('an error of a file elsewhere, and an unforeseen one, have no sentence', () => {
  for (const error of [
    withCode('EACCES', { path: '/etc/todoke/geo.mmdb' }),
    withCode('ELOOP', { path: '/var/lib/todoke' }),
    new TypeError('x is not a function'),
    failed('42P01'),
    'text',
  ])
    expect(startSentence(error, env)).toBeUndefined()
})

test('PostgreSQL before 15 is too old', () => {
  expect(() => refuseOld(150_004)).not.toThrow()
  expect(() => refuseOld(140_012)).toThrow('PostgreSQL 14 です。PostgreSQL 15 以降')
})
