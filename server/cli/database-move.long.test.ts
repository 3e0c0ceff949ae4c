// `database move`: every table, sessions and search on PostgreSQL; killed runs and refusals.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { openPostgres } from '#server/adapters/database/database.ts'
import { openMemory } from '#server/adapters/database/embedded/embedded.ts'
import { moveRows } from '#server/adapters/database/moving/move-rows.ts'
import { openSource } from '#server/adapters/database/moving/source.ts'
import { seedDemo } from '#server/modules/demo/seed.ts'
import { allRules } from '#server/store/anonymise/all.ts'
import { migrationsFolder } from '#server/store/database.ts'
import { openJobs } from '#server/store/jobs.ts'
import { countAll, fillEmptyTables, rowsOf, runOn, sessionsOf } from '#server/testing/copies.ts'
import { livePerson } from '#server/testing/people/live-person.ts'
import { signUp } from '#server/testing/people/members.ts'
import { type Postgres, postgresAvailable, startPostgres } from '#server/testing/postgres.ts'
import { startServer } from '#server/testing/process.ts'
import { openWorld } from '#server/testing/world.ts'
import { readEnv } from '#server/env/env.ts'
import { databaseMove } from './database-move.ts'

async function run(databaseUrl: string, ...args: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = []
  const code = await databaseMove.runAlone({
    env: readEnv({ DATABASE_URL: databaseUrl }),
    args,
    print: (line) => void lines.push(line),
  })
  return { code, lines }
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)

const sequences = `select sequencename as name, last_value::text as last from pg_sequences
  where schemaname in ('public', 'pgboss') order by 1`

/** A data folder with the embedded database of a world that has rows in every table. */
async function filledFolder() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'todoke-embedded-'))
  const world = await openWorld({ database: 'pglite', parts: { dataDir } })
  await seedDemo(world.deps)
  await livePerson(world)
  const person = await signUp(world)
  const rows = async <T>(text: string, values: readonly unknown[] = []) =>
    (await world.database.executeSql(text, values)).rows as T[]
  await rows('set session_replication_role = replica')
  await fillEmptyTables({ rows })
  await rows('set session_replication_role = origin')
  const counts = new Map<string, number>()
  for (const { name } of allRules)
    counts.set(
      name,
      defined((await rows<{ count: number }>(`select count(*)::int as count from "${name}"`))[0]?.count),
    )
  const { dump } = world.database as unknown as Awaited<ReturnType<typeof openMemory>>
  const tar = path.join(dataDir, 'dump.tar')
  await writeFile(tar, Buffer.from(await (await dump()).arrayBuffer()))
  await world.close()
  await mkdir(path.join(dataDir, 'pglite'), { recursive: true })
  execFileSync('tar', ['--extract', '--file', tar, '--directory', path.join(dataDir, 'pglite')], {
    stdio: 'ignore',
  })
  await rm(tar)
  return { dataDir, person, counts }
}

describe.skipIf(!postgresAvailable())('database move', () => {
  let filled: Awaited<ReturnType<typeof filledFolder>>
  let target: Postgres
  beforeAll(async () => {
    filled = await filledFolder()
  }, 240_000)
  afterAll(() => rm(filled.dataDir, { recursive: true, force: true }))
  beforeEach(async () => {
    target = await startPostgres(async (url) => {
      const made = await openPostgres(url, migrationsFolder)
      await (await openJobs(made, () => undefined)).stop()
      await made.close()
    })
  })
  afterEach(() => target.stop())

  const move = (url = target.url, confirmed = nameOf(url)) =>
    run(url, '--from', filled.dataDir, '--confirm', confirmed)
  const isEmpty = async () => (await rowsOf(target.url, 'select from users limit 1')).length === 0

  test('moves every table; sessions, search and new rows work on a server that starts there', async () => {
    const { code, lines } = await move()
    expect([code, lines.at(-1)]).toEqual([
      0,
      expect.stringMatching(/^\d+個の表の\d+行を移し、照合しました。$/),
    ])
    expect(await countAll(target.url)).toEqual(filled.counts)
    expect([...filled.counts.values()].filter((it) => it === 0)).toEqual([])
    const jobs = await rowsOf<{ count: number }>(target.url, 'select count(*)::int as count from pgboss.job')
    expect(jobs[0]?.count).toBeGreaterThan(0)
    const source = await openSource(filled.dataDir)
    const numbers = await source.rows(sequences)
    await source.close()
    expect(numbers.length).toBeGreaterThan(0)
    expect(await rowsOf(target.url, sequences)).toEqual(numbers)
    const server = await startServer({ DATABASE_URL: target.url, DATA_DIR: filled.dataDir, ROLE: 'all' })
    const get = (at: string) => fetch(`${server.origin}/api${at}`, { headers: filled.person.auth })
    expect((await get('/posts')).status).toBe(200)
    const found = await get(`/search/people?q=${encodeURIComponent('会員')}`)
    expect([found.status, JSON.stringify(await found.json()).includes('会員')]).toEqual([200, true])
    expect(await server.end('SIGTERM')).toBe(0)
    // Triggers, foreign keys and sequences are as migrations make them.
    const twin = await startPostgres(() => expect.unreachable())
    const structure = `select (select string_agg(tgname || tgenabled::text, ',' order by tgname, tgrelid::regclass::text) from pg_trigger where not tgisinternal) as triggers,
      (select string_agg(conname || pg_get_constraintdef(oid), ',' order by conname, conrelid::regclass::text) from pg_constraint) as constraints`
    expect(await rowsOf(target.url, structure)).toEqual(await rowsOf(twin.url, structure))
    await twin.stop()
    expect((await move()).lines).toEqual([expect.stringContaining('ユーザーがいます')])
  })

  test('a run that is killed leaves an empty database, into which the next one moves all', async () => {
    const child = spawn(
      process.execPath,
      [
        path.join(import.meta.dirname, 'main.ts'),
        'database',
        'move',
        '--from',
        filled.dataDir,
        '--confirm',
        nameOf(target.url),
      ],
      { env: { ...process.env, DATABASE_URL: target.url }, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes('public.users ')) child.kill('SIGKILL')
    })
    expect((await once(child, 'close'))[1]).toBe('SIGKILL')
    await expect.poll(() => sessionsOf(target.url)).toBe(0)
    expect(await isEmpty()).toBe(true)
    expect((await move()).code).toBe(0)
    expect(await countAll(target.url)).toEqual(filled.counts)
  })

  test('a table that arrives with other contents undoes everything', async () => {
    const source = await openSource(filled.dataDir)
    const wrong: typeof source = {
      ...source,
      async *copy(table) {
        for await (const bytes of source.copy(table))
          yield table.name === 'public.users' ? Buffer.from(String(bytes).replaceAll('会員', '会貝')) : bytes
      },
    }
    await expect(moveRows(wrong, target.url, () => undefined)).rejects.toMatchObject({
      details: [expect.stringMatching(/^public\.users: /)],
    })
    await source.close()
    expect(await isEmpty()).toBe(true)
  })

  test('a target with other tables is refused, and left as it is', async () => {
    await runOn(target.url, 'alter table users add column more text')
    const { code, lines } = await move()
    expect([code, lines.filter((it) => it.includes('public.users'))]).toHaveLength(2)
    expect([code, await isEmpty()]).toEqual([1, true])
  })

  test.each([
    ['another name of the database', () => move(target.url, 'other'), 1],
    ['no data folder', () => run(target.url, '--confirm', nameOf(target.url)), 2],
    [
      'a folder without a database',
      () => run(target.url, '--from', tmpdir(), '--confirm', nameOf(target.url)),
      2,
    ],
    ['no PostgreSQL', () => run('', '--from', filled.dataDir, '--confirm', 'any'), 2],
  ])('%s is refused', async (_, call, code) => {
    expect((await call()).code).toBe(code)
    expect(await isEmpty()).toBe(true)
  })
})
