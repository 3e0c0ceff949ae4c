// What the anonymisation of a copy refuses, and its dry run.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Copy,
  copyDatabase,
  openSession,
  PATIENT,
  rowsOf,
  runOn,
  sessionsOf,
} from '#server/testing/copies.ts'
import { signUp } from '#server/testing/people/members.ts'
import { postgresAvailable } from '#server/testing/postgres.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { readEnv } from '#server/env/env.ts'
import { databaseAnonymise } from './database.ts'

async function run(databaseUrl: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const env = readEnv({ DATABASE_URL: databaseUrl })
  const code = await databaseAnonymise.runAlone({ env, args, print: (line) => void lines.push(line) })
  return { code, text: lines.join('\n') }
}

describe.skipIf(!postgresAvailable())('database anonymise', () => {
  let world: World
  let source: string
  const copies: Copy[] = []
  beforeAll(async () => {
    world = await openWorld({ database: 'postgres' })
    await signUp(world)
    source = world.postgres?.url ?? ''
    // A database with sessions cannot be copied.
    await world.app.close()
    await world.deps.close()
  })
  afterAll(async () => {
    for (const it of copies) await it.remove()
    await world.postgres?.stop()
  })

  const newCopy = async (isMarked = true) => {
    const copy = await copyDatabase(source, isMarked)
    copies.push(copy)
    return copy
  }

  describe('refuses', () => {
    const emails = (url: string) => rowsOf(url, 'select email from users order by 1')
    /** What a refused call prints, once it is certain that nothing was changed. */
    const refusalOf = async (url: string, ...args: string[]): Promise<string> => {
      const before = await emails(url)
      const { code, text } = await run(url, ...args)
      expect([code, await emails(url)]).toEqual([1, before])
      return text
    }

    test('a database without the mark, and prints the statement that sets it', async () => {
      const copy = await newCopy(false)
      const statement = `COMMENT ON DATABASE "${copy.name}" IS 'todoke: copy'`
      expect(await refusalOf(copy.url, '--confirm', copy.name)).toContain(statement)
    })

    test('another name, another session, and a column that it does not know', async () => {
      const copy = await newCopy()
      expect(await refusalOf(copy.url, '--confirm', 'todoke')).toContain('--confirm の名前')
      const other = await openSession(copy.url)
      expect(await refusalOf(copy.url, '--confirm', copy.name)).toContain('ほかの接続が1本あります')
      await other.close()
      await expect.poll(() => sessionsOf(copy.url), PATIENT).toBe(0)
      await runOn(copy.url, 'alter table posts add column place text')
      expect(await refusalOf(copy.url, '--confirm', copy.name)).toContain('public.posts.place')
    })

    test('the embedded database', async () => {
      expect(await run('', '--confirm', 'todoke')).toEqual({
        code: 1,
        text: expect.stringContaining('PostgreSQL のデータベースだけ'),
      })
    })

    test('a user who does not own the database', async () => {
      const copy = await newCopy()
      await runOn(
        copy.url,
        `create role ${copy.name} login`,
        `grant select on all tables in schema public to ${copy.name}`,
      )
      const url = Object.assign(new URL(copy.url), { username: copy.name }).href
      expect(await refusalOf(url, '--confirm', copy.name)).toContain('データベースの所有者')
      await runOn(copy.url, `drop owned by ${copy.name}`, `drop role ${copy.name}`)
    })

    test.each([
      [[]],
      [['--confirm']],
      [['--confirm', 'x', 'y']],
      [['--confirm', 'x', '--password', '']],
      [['--other']],
    ])('the parameters %j with 2', async (args) => {
      expect(await run(source, ...args)).toMatchObject({ code: 2 })
    })
  })

  test('a dry run prints rows and columns, and changes nothing', async () => {
    const copy = await newCopy()
    const before = await rowsOf(copy.url, 'select * from users order by id')
    const { code, text } = await run(copy.url, '--dry-run')
    expect([code, text]).toEqual([0, expect.stringContaining('何も変更していません')])
    expect(text).toMatch(/^sessions {2}[1-9]\d*行 {2}すべて削除$/m)
    expect(text).toMatch(/^posts {2}\d+行$/m)
    expect(text).toMatch(/^ {2}email {2}user-<番号>@example\.invalid$/m)
    expect(await rowsOf(copy.url, 'select * from users order by id')).toEqual(before)
    expect((await run(source, '--dry-run')).code).toBe(1)
  })
})
