// Commands in a wrong place make nothing there and change nothing elsewhere.
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { loadVapid } from '#server/adapters/push/vapid.ts'
import { readEnv } from '#server/env/env.ts'
import { openDeps } from '#server/open-deps.ts'
import { openKeys, openVapid } from '#server/services/keys/open-keys.ts'
import { rowsOf, runOn } from '#server/testing/copies.ts'
import { postgresAvailable } from '#server/testing/postgres.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { runCommandLine } from './command-line.ts'
import { aloneCommands, commands } from './commands.ts'

const KEY = 'k'.repeat(32)
const same =
  'サーバーと同じユーザーと環境変数で実行してください。インストールしたサイトでは、todoke-admin を使うと同じになります。'

let parent = ''
beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'todoke-found-'))
})
afterAll(() => rm(parent, { recursive: true }))

let printed: string[] = []
beforeEach(() => {
  printed = []
  for (const it of ['log', 'error'] as const)
    vi.spyOn(console, it).mockImplementation((line: unknown) => void printed.push(String(line)))
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** Runs a command with these variables. */
async function run(words: string, variables: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries({ DATABASE_URL: '', SECRET_KEY: '', ...variables }))
    vi.stubEnv(name, value)
  const mask = process.umask()
  try {
    return { code: await runCommandLine(words.split(' ')), printed: printed.join('\n') }
  } finally {
    process.umask(mask)
  }
}

/** All that need more than their parameters. */
const needing = [
  ...Object.keys(commands),
  ...Object.entries(aloneCommands).flatMap(([name, it]) => (it.needs === 'nothing' ? [] : [name])),
]

test.each(needing)('%s with a data folder that does not exist ends with 2, and makes none', async (name) => {
  const DATA_DIR = path.join(parent, newId())
  const { code, printed: text } = await run(name, { DATA_DIR, SECRET_KEY: KEY })
  expect([code, text]).toEqual([2, `データフォルダー ${DATA_DIR} がありません。${same}`])
  await expect(readdir(DATA_DIR)).rejects.toThrow('ENOENT')
})

test('an empty data folder stays empty, without a key and without a database', async () => {
  const DATA_DIR = await mkdtemp(path.join(parent, 'empty-'))
  const key = await run('staff add a@b.example', { DATA_DIR })
  expect(key).toMatchObject({
    code: 2,
    printed: expect.stringMatching(/^環境変数 SECRET_KEY も、.*ありません。/),
  })
  printed = []
  const pair = await run('staff add a@b.example', { DATA_DIR, SECRET_KEY: KEY })
  expect(pair).toMatchObject({ code: 2, printed: expect.stringMatching(/^環境変数 VAPID_PUBLIC_KEY も、/) })
  expect(await readdir(DATA_DIR)).toEqual([])
  await loadVapid(DATA_DIR)
  printed = []
  const database = await run('backup create /nowhere', { DATA_DIR, SECRET_KEY: KEY })
  expect(database.printed).toBe(`データフォルダー ${DATA_DIR} にデータベースがありません。${same}`)
  expect(await readdir(DATA_DIR)).toEqual(['vapid.json'])
})

test('commands that do not reach PostgreSQL, or find a damaged database, say so in one sentence', async () => {
  const DATA_DIR = await mkdtemp(path.join(parent, 'refused-'))
  await loadVapid(DATA_DIR)
  await mkdir(path.join(DATA_DIR, 'pglite', 'base'), { recursive: true })
  const DATABASE_URL = 'postgres://todoke@127.0.0.1:1/todoke'
  for (const words of ['key replace 0000000000000000', 'storage check', 'audit verify']) {
    printed = []
    expect(await run(words, { DATA_DIR, DATABASE_URL, SECRET_KEY: KEY })).toMatchObject({
      code: 2,
      printed: expect.stringMatching(/^データベースに接続できません。[^\n]+ください。$/),
    })
    printed = []
    expect(await run(words, { DATA_DIR, SECRET_KEY: KEY })).toMatchObject({
      code: 2,
      printed: expect.stringMatching(/^データフォルダー \S+ の内蔵データベースが壊れています（[^\n]+$/),
    })
  }
  expect(await readdir(path.join(DATA_DIR, 'pglite'))).toEqual(['base'])
})

describe.skipIf(!postgresAvailable())('with PostgreSQL', () => {
  let world: World
  let url = ''
  beforeAll(async () => {
    world = await openWorld({ database: 'postgres' })
    url = defined(world.postgres?.url)
    await world.database.executeSql('delete from server_keys')
    await openKeys(world.deps.db, world.dataDir, { present: KEY })
    await openVapid(world.deps.db, world.dataDir, undefined)
  })
  afterAll(() => world.close())

  const stored = () => rowsOf(url, 'select name, fingerprint from server_keys order by name')

  test('the keys of another folder are refused, and never offered in place of those of the servers', async () => {
    const before = await stored()
    const DATA_DIR = await mkdtemp(path.join(parent, 'other-'))
    await loadVapid(DATA_DIR)
    const { code, printed: text } = await run('staff add a@b.example', {
      DATABASE_URL: url,
      DATA_DIR,
      SECRET_KEY: KEY,
    })
    expect([code, text]).toEqual([
      2,
      expect.stringMatching(/^VAPID_PUBLIC_KEY が、このデータベースのものと異なります/),
    ])
    expect(text).not.toContain('key replace')
    expect(await stored()).toEqual(before)
    const env = readEnv({ DATABASE_URL: url, DATA_DIR: world.dataDir, SECRET_KEY: KEY, LOG_LEVEL: 'silent' })
    const silent = () => undefined
    await (await openDeps(env, { failed: silent, redis: silent, realtime: silent })).close()
  })

  test('a database that no server has used gets no table, and no check says that all is well', async () => {
    const name = `empty_${newId().replaceAll('-', '')}`
    const admin = Object.assign(new URL(url), { pathname: '/postgres' }).href
    const empty = Object.assign(new URL(url), { pathname: `/${name}` }).href
    await runOn(admin, `create database ${name}`)
    for (const words of ['storage check', 'audit verify', `backup create ${path.join(parent, 'none')}`]) {
      printed = []
      const it = await run(words, { DATABASE_URL: empty, DATA_DIR: world.dataDir, SECRET_KEY: KEY })
      expect(it).toEqual({
        code: 2,
        printed: `DATABASE_URL のデータベースは空で、サーバーが使ったことがありません。${same}`,
      })
    }
    expect(
      await rowsOf(empty, `select 1 from pg_tables where schemaname !~ '^(pg_|information_schema)'`),
    ).toEqual([])
    await runOn(admin, `drop database ${name}`)
  })

  test('key replace says what is lost, and does it once the name of the database is confirmed', async () => {
    const [{ fingerprint } = { fingerprint: '' }] = (await stored()) as { fingerprint: string }[]
    const variables = { DATABASE_URL: url, DATA_DIR: world.dataDir }
    expect(await run('key replace 0000000000000000', variables)).toMatchObject({ code: 1 })
    printed = []
    const asked = await run(`key replace ${fingerprint}`, variables)
    expect([asked.code, asked.printed]).toEqual([
      1,
      expect.stringMatching(/本人確認の書類.*読めなくなります/),
    ])
    expect(await stored()).toHaveLength(2)
    const database = new URL(url).pathname.slice(1)
    expect(await run(`key replace ${fingerprint} --confirm ${database}`, variables)).toMatchObject({
      code: 0,
    })
    expect(await stored()).toEqual([expect.objectContaining({ name: 'vapid' })])
    await openKeys(world.deps.db, world.dataDir, { present: 'n'.repeat(32) })
    expect(await stored()).toHaveLength(2)
  })
})

test('key vapid prints a pair that the environment accepts, and makes no file', async () => {
  const DATA_DIR = path.join(parent, newId())
  const { code, printed: text } = await run('key vapid', { DATA_DIR })
  const pair = Object.fromEntries(text.split('\n').map((it) => it.split('=') as [string, string]))
  expect([code, readEnv(pair).VAPID_PUBLIC_KEY]).toEqual([0, pair['VAPID_PUBLIC_KEY']])
  await expect(readdir(DATA_DIR)).rejects.toThrow('ENOENT')
})

test.skipIf(process.getuid?.() !== 0)('root is refused where the servers are another user', async () => {
  const DATA_DIR = await mkdtemp(path.join(parent, 'theirs-'))
  await writeFile(path.join(DATA_DIR, 'secret.key'), '')
  await chown(DATA_DIR, 12_345, 12_345)
  const it = await run('staff add a@b.example', { DATA_DIR })
  expect(it).toEqual({
    code: 2,
    printed: `データフォルダー ${DATA_DIR} は root のものではありません。${same}`,
  })
})
