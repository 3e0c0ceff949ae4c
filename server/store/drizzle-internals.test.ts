// The private parts of Drizzle that the store uses exist. A version without them fails here first.
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bothDatabases, openWorld, type World } from '#server/testing/world.ts'
import type { Db } from './database.ts'
import { executeNamed, renderSql } from './drizzle-internals.ts'

describe.each(bothDatabases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('private parts of Drizzle', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    test('a named statement takes values in order and returns its rows as objects', async () => {
      const named = { name: 'test_pair', text: 'select $1::int as one, $2::text as two' }
      expect(await executeNamed(world.deps.db, named, [1, 'b'])).toEqual([{ one: 1, two: 'b' }])
      expect(await executeNamed(world.deps.db, named, [2, 'c'])).toEqual([{ one: 2, two: 'c' }])
    })

    test('a named statement runs in the given transaction', async () => {
      const rows = await world.deps.db.transaction(async (tx) => {
        await tx.execute(sql`create temp table here on commit drop as select 7 as n`)
        return executeNamed(tx, { name: 'test_here', text: 'select n from here' }, [])
      })
      expect(rows).toEqual([{ n: 7 }])
    })

    test.runIf(kind === 'postgres')('PostgreSQL stores the prepared statement under its name', async () => {
      const prepared = await world.deps.db.transaction(async (tx) => {
        await executeNamed(tx, { name: 'test_kept', text: 'select 1 as one' }, [])
        const found = sql`select statement from pg_prepared_statements where name = 'test_kept'`
        return (await tx.execute(found)) as { rows: unknown }
      })
      expect(prepared.rows).toEqual([{ statement: 'select 1 as one' }])
    })
  })
})

test('a statement is rendered with numbered parameters, values and placeholders in order', () => {
  const { text, params } = renderSql(sql`select ${1}, ${sql.placeholder('name')}, ${sql.raw('x')}`)
  expect([text, params]).toEqual(['select $1, $2, x', [1, expect.objectContaining({ name: 'name' })]])
})

test('a Drizzle without its session is reported in one sentence', async () => {
  const db = { _: {} } as unknown as Db
  await expect(executeNamed(db, { name: 'x', text: 'select 1' }, [])).rejects.toThrow('moved its session')
})
