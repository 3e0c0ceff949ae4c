// Anonymised copies: what is left in them, refusals, and killed runs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { openSingleSession } from '#server/adapters/database/database.ts'
import { anonymise } from '#server/modules/anonymise/anonymise.ts'
import { allRules } from '#server/store/anonymise/all.ts'
import { copyMarks } from '#server/store/anonymise/copy-mark.ts'
import { migrationsFolder } from '#server/store/database.ts'
import {
  type Copy,
  copyDatabase,
  countAll,
  fillDatabase,
  type Filled,
  findInDatabase,
  listIds,
  MARKER_PARTS,
  PATIENT,
  rowsOf,
  sessionsOf,
} from '#server/testing/copies.ts'
import { postgresAvailable } from '#server/testing/postgres.ts'
import { refusedStart, startServer } from '#server/testing/process.ts'
import { readEnv } from '#server/env/env.ts'
import { databaseAnonymise } from './database.ts'

const password = 'todoke-copy-1'

async function run(databaseUrl: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const env = readEnv({ DATABASE_URL: databaseUrl })
  const code = await databaseAnonymise.runAlone({ env, args, print: (line) => void lines.push(line) })
  return { code, text: lines.join('\n') }
}

const markOf = async (url: string) => {
  const [row] = await rowsOf<{ mark: string | null }>(
    url,
    `select shobj_description(oid, 'pg_database') as mark from pg_database where datname = current_database()`,
  )
  return row?.mark
}

/** Starts the command as a process, and kills it once it has printed a line. */
async function killAt(line: string, copy: Copy, folder: string): Promise<void> {
  const words = ['database', 'anonymise', '--confirm', copy.name]
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), ...words], {
    env: { ...process.env, DATABASE_URL: copy.url, DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += String(chunk)
    if (text.split('\n').includes(line)) child.kill('SIGKILL')
  })
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  expect(signal).toBe('SIGKILL')
  // The session of the dead process ends with its statement.
  await expect.poll(() => sessionsOf(copy.url), PATIENT).toBe(0)
}

describe.skipIf(!postgresAvailable())('database anonymise', () => {
  let filled: Filled
  let folder: string
  const copies: Copy[] = []
  beforeAll(async () => {
    filled = await fillDatabase()
    folder = await mkdtemp(path.join(tmpdir(), 'todoke-copy-'))
  }, 240_000)
  afterAll(async () => {
    for (const it of copies) await it.remove()
    await filled.close()
    await rm(folder, { recursive: true, force: true })
  })

  const newCopy = async (isMarked = true, from = filled.url) => {
    const copy = await copyDatabase(from, isMarked)
    copies.push(copy)
    return copy
  }

  describe('a copy that was anonymised', () => {
    let copy: Copy
    beforeAll(async () => {
      copy = await newCopy()
      const { code, text } = await run(copy.url, '--confirm', copy.name, '--password', password)
      expect([code, text]).toEqual([0, expect.stringContaining('匿名化しました')])
    }, 240_000)

    test('the source has the marker in every column with a text', async () => {
      expect(filled.refused).toEqual([])
      const found = await findInDatabase(filled.url, MARKER_PARTS)
      for (const { name } of allRules.filter(({ types }) => [...types.values()].includes('jsonb')))
        expect(found.join('\n')).toContain(name)
    })

    test('no table, statistics or file of the database has a text, address or name of before', async () => {
      const [person] = await rowsOf<{ name: string; birth: string }>(
        filled.url,
        `select name, birth_date::text as birth from users order by created_at limit 1`,
      )
      expect(
        await findInDatabase(copy.url, [
          ...MARKER_PARTS,
          '別の人',
          'example.com',
          'todoke.example',
          person?.birth ?? '',
        ]),
      ).toEqual([])
    })

    test('no id of before is left', async () => {
      const before = await listIds(filled.url)
      expect(before.size).toBeGreaterThan(150)
      expect([...(await listIds(copy.url))].filter((it) => before.has(it))).toEqual([])
    })

    test('tables have as many rows as before, or none', async () => {
      const after = await countAll(copy.url)
      const before = await countAll(filled.url)
      for (const { name, columns } of allRules)
        expect([name, after.get(name)]).toEqual([name, columns ? before.get(name) : 0])
    })

    test('foreign keys, triggers and indexes are those of before', async () => {
      const structure = (url: string) =>
        rowsOf(
          url,
          `select conname as name, pg_get_constraintdef(oid) as it, convalidated::text as state from pg_constraint
             where connamespace = 'public'::regnamespace
           union all select tgname, pg_get_triggerdef(oid), tgenabled::text from pg_trigger where not tgisinternal
           union all select indexname, indexdef, '' from pg_indexes where schemaname = 'public' order by 1, 2`,
        )
      expect(await structure(copy.url)).toEqual(await structure(filled.url))
    })

    test('texts have as many lines and characters as before', async () => {
      const lengths = (url: string) =>
        rowsOf(
          url,
          `select array_agg(l order by l) as lengths from (select char_length(content) * 1000 +
          array_length(string_to_array(content, chr(10)), 1) as l from comments union all select char_length(bio) from users) as t`,
        )
      expect(await lengths(copy.url)).toEqual(await lengths(filled.url))
    })

    test('a second run gives a clean copy again, without a password', async () => {
      expect((await run(copy.url, '--confirm', copy.name)).code).toBe(0)
      expect(await findInDatabase(copy.url, MARKER_PARTS)).toEqual([])
      const [row] = await rowsOf(
        copy.url,
        `select max(password_hash) as hash, count(distinct email)::int as emails,
        count(*)::int as people from users`,
      )
      expect(row).toMatchObject({ hash: '', emails: (row as { people: number }).people })
    }, 120_000)
  })

  test('a server starts on the copy: people sign in with the given password, and read the feed, a profile and search', async () => {
    const copy = await newCopy(true, filled.plainUrl)
    expect((await run(copy.url, '--confirm', copy.name, '--password', password)).code).toBe(0)
    expect(await markOf(copy.url)).toBe(copyMarks.anonymised)
    const server = await startServer({
      DATABASE_URL: copy.url,
      DATA_DIR: folder,
      SECRET_KEY: 's'.repeat(32),
    })
    const send = async (target: string, init: RequestInit = {}) => {
      const reply = await fetch(`${server.origin}/api${target}`, {
        ...init,
        headers: {
          'content-type': 'application/json',
          ...(init.headers as Record<string, string> | undefined),
        },
      })
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
    }
    const [author] = await rowsOf<{ id: string; email: string; word: string }>(
      copy.url,
      `select u.id, u.email, min(left(p.content, 4)) as word from users u join posts p on p.author_id = u.id where p.released_at is not null
       and u.deleted_at is null and u.suspended_at is null group by u.id order by count(*) desc limit 1`,
    )
    const signedIn = await send('/auth/sign-in', {
      method: 'POST',
      body: JSON.stringify({ email: author?.email, password }),
    })
    expect([signedIn.status, author?.email]).toEqual([
      200,
      expect.stringMatching(/^user-\d+@example\.invalid$/),
    ])
    const headers = { authorization: `Bearer ${String(signedIn.body['token'])}` }
    const read = async (target: string) => (await send(target, { headers })).body
    expect(await read('/feed/latest')).toMatchObject({ posts: expect.arrayContaining([expect.anything()]) })
    expect(await read(`/users/${author?.id}`)).toMatchObject({
      name: expect.stringMatching(/^ユーザー\d+$/),
    })
    const found = await read(`/search/posts?q=${encodeURIComponent(defined(author?.word))}`)
    expect(found).toMatchObject({ posts: expect.arrayContaining([expect.anything()]) })
    expect(await read('/conversations')).toMatchObject({ conversations: expect.any(Array) })
    await server.end('SIGKILL')
  }, 180_000)

  test('a run that is killed in the transaction leaves the copy as it was, on which no server starts', async () => {
    const copy = await newCopy()
    const before = await rowsOf(copy.url, 'select id, email, name from users order by id')
    await killAt('messages', copy, folder)
    expect(await rowsOf(copy.url, 'select id, email, name from users order by id')).toEqual(before)
    expect(await markOf(copy.url)).toBe(copyMarks.copy)
    const start = await refusedStart({ DATABASE_URL: copy.url, DATA_DIR: folder, SECRET_KEY: 's'.repeat(32) })
    expect([start.code, start.output]).toEqual([1, expect.stringContaining('まだ匿名化していないコピーです')])
    expect((await run(copy.url, '--confirm', copy.name)).code).toBe(0)
    expect(await findInDatabase(copy.url, MARKER_PARTS)).toEqual([])
  }, 240_000)

  test('rows that another session still sees are removed from the files when it has ended', async () => {
    const copy = await newCopy()
    const session = await openSingleSession(copy.url, migrationsFolder)
    const other = new pg.Client({ connectionString: copy.url })
    const rewrites: (readonly string[])[] = []
    await anonymise({
      db: session.db,
      name: copy.name,
      passwordHash: '',
      onStep: () => undefined,
      inTransaction: (work) =>
        session.inTransaction(async (tx) => {
          await work(tx)
          // As a session of autovacuum that began before the commit.
          await other.connect()
          await other.query('begin isolation level repeatable read')
          await other.query('select pg_current_snapshot()')
        }),
      async runAlone(statement) {
        const details = await session.run(statement)
        if (rewrites.push(details) === 1) await other.end()
        return details
      },
    })
    await session.close()
    // Autovacuum may be a further session, which adds runs.
    expect(rewrites.length).toBeGreaterThanOrEqual(3)
    expect(rewrites[0]).toContainEqual(expect.stringMatching(/^[1-9]/))
    expect(await findInDatabase(copy.url, MARKER_PARTS)).toEqual([])
  }, 240_000)

  test('a run that is killed before the old rows are removed from the disk is not finished; a second one is', async () => {
    const copy = await newCopy()
    await killAt('削除した行の消去', copy, folder)
    expect(await markOf(copy.url)).toBe(copyMarks.rewritten)
    const start = await refusedStart({ DATABASE_URL: copy.url, DATA_DIR: folder, SECRET_KEY: 's'.repeat(32) })
    expect(start.code).toBe(1)
    expect((await run(copy.url, '--confirm', copy.name)).code).toBe(0)
    expect([await markOf(copy.url), await findInDatabase(copy.url, MARKER_PARTS)]).toEqual([
      copyMarks.anonymised,
      [],
    ])
  }, 240_000)
})
