// Prepared statements: their values, and that PostgreSQL plans them once.
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bothDatabases, openWorld, type World } from '#server/testing/world.ts'
import type { Db } from './database.ts'
import { momentOf, statement } from './statement.ts'
import { users } from './tables/people.ts'

const one = '01900000-0000-7000-8000-000000000001'
const other = '01900000-0000-7000-8000-000000000002'

describe.each(bothDatabases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a prepared statement', () => {
    let world: World
    let db: Db
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      ;({ db } = world.deps)
    })
    afterAll(() => world.close())

    test('returns rows for the values of each call', async () => {
      const same = statement<{ left: string; right: string }, { same: boolean; left: string }>(
        { left: 'uuid', right: 'uuid' },
        (param) => sql`select ${param('left')} = ${param('right')} as same, ${param('left')} as left`,
      )
      expect(await same(db, { left: one, right: one })).toEqual([{ same: true, left: one }])
      expect(await same(db, { left: other, right: one })).toEqual([{ same: false, left: other }])
    })

    test('takes lists and null as values', async () => {
      const among = statement<{ ids: readonly string[]; id: string | null }, { among: boolean | null }>(
        { ids: 'uuid[]', id: 'uuid' },
        (param) => sql`select ${param('id')} = any (${param('ids')}::uuid[]) as among`,
      )
      expect(await among(db, { ids: [one, other], id: other })).toEqual([{ among: true }])
      expect(await among(db, { ids: [], id: other })).toEqual([{ among: false }])
      expect(await among(db, { ids: [one], id: null })).toEqual([{ among: null }])
    })

    test('refuses a constant that would stay that of the first call', async () => {
      const fixed = statement<object, unknown>({}, () => sql`select id from users where ${eq(users.id, one)}`)
      await expect(fixed(db, {})).rejects.toThrow('has a value in it')
    })

    test.runIf(kind === 'postgres')(
      'is planned once, although a plan for these values would be cheaper',
      async () => {
        const later = statement<{ than: string }, { n: number }>(
          { than: 'timestamptz' },
          (param) => sql`select count(*)::int as n from moments where at > ${param('than')}`,
        )
        // On one connection, which has its own prepared statements.
        await db.transaction(async (tx) => {
          await tx.execute(sql`create temp table moments on commit drop as
          select to_timestamp(n) as at from generate_series(1, 10000) n`)
          await tx.execute(sql`create index on moments (at)`)
          await tx.execute(sql`analyze moments`)
          for (let n = 0; n < 8; n++)
            expect(await later(tx, { than: momentOf(9_999_000) })).toEqual([{ n: 1 }])
          const plans = await tx.execute(sql`select generic_plans::int as generic, custom_plans::int as custom
          from pg_prepared_statements where statement like '%moments where at%'`)
          expect((plans as { rows: unknown }).rows).toEqual([{ generic: 3, custom: 5 }])
        })
      },
    )
  })
})
