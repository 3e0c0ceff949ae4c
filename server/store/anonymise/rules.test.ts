// Every column of the database has a rule, and keeps no text and no id.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { allRules } from './all.ts'
import { columnsWithoutRule, missingTables } from './structure.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function tablesOfSchema(): Promise<PgTable[]> {
  const folder = path.join(import.meta.dirname, '../tables')
  const found: PgTable[] = []
  for (const file of readdirSync(folder)) {
    const all = (await import(path.join(folder, file))) as Record<string, unknown>
    for (const it of Object.values(all)) if (is(it, PgTable)) found.push(it)
  }
  return found
}

test('every table of the schema has one rule for each of its columns, or is emptied', async () => {
  const tables = await tablesOfSchema()
  expect(tables.length).toBeGreaterThan(80)
  expect(allRules.map((it) => it.name).toSorted()).toEqual(
    tables.map((it) => getTableConfig(it).name).toSorted(),
  )
  const rules = new Map(allRules.map((it) => [it.name, it]))
  for (const it of tables) {
    const { name, columns } = getTableConfig(it)
    const given = rules.get(name)?.columns
    if (given) expect([name, ...given.keys()]).toEqual([name, ...columns.map((column) => column.name)])
  }
})

test('the database has no column without a rule, and no rule is about a missing table', async () => {
  expect(await columnsWithoutRule(world.deps.db, allRules)).toEqual([])
  expect(await missingTables(world.deps.db, allRules)).toEqual([])
})

test('only numbers, times, booleans and enumerations stay as they are', () => {
  const kept = /^(integer|bigint|smallint|boolean|date|timestamp)/
  const wrong = allRules.flatMap(({ name, columns, types, options }) =>
    [...(columns ?? [])]
      .filter(
        ([column, rule]) => rule === 'keep' && !options.has(column) && !kept.test(defined(types.get(column))),
      )
      .map(([column]) => `${name}.${column}`),
  )
  expect(wrong).toEqual([])
})

test('ids become other ids, and a column that must have a value does not become null', async () => {
  const { rows } = await world.database.executeSql(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and is_nullable = 'NO'`,
  )
  const filled = new Set((rows as { name: string }[]).map((it) => it.name))
  const all = allRules.flatMap(({ name, columns, types }) =>
    [...(columns ?? [])].map(([column, rule]) => ({
      name: `${name}.${column}`,
      rule,
      type: types.get(column),
    })),
  )
  const isWrong = ({ name, rule, type }: (typeof all)[number]) =>
    rule === 'null' ? filled.has(name) : type === 'uuid' && rule !== 'id'
  expect(all.filter(isWrong)).toEqual([])
})

test('a column, a table and a schema that are added without a rule are found', async () => {
  await world.database.executeSql(
    `alter table users add column nickname text; create table notes (body text);
     create schema other; create table other.notes (body text)`,
  )
  expect(await columnsWithoutRule(world.deps.db, allRules)).toEqual([
    'other.notes.body',
    'public.notes.body',
    'public.users.nickname',
  ])
})
