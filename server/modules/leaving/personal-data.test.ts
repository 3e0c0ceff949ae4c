// Compares docs/personal-data.md with the database before and after a deletion.
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { defined } from '#contract/testing/defined.ts'
import { livePerson, type LivePerson } from '#server/testing/people/live-person.ts'
import { endKeptYear, leave } from '#server/testing/people/leaving.ts'
import { databases, openWorld, type World, storedAt } from '#server/testing/world.ts'
import { deleteDueAccounts } from './erase.ts'

const page = path.join(import.meta.dirname, '../../../docs/personal-data.md')

/** What a deletion does with each table and folder, from the page's tables. */
async function listedEffects(): Promise<Map<string, string>> {
  const rows = (await readFile(page, 'utf8')).matchAll(/^\| `([\w-]+\/?)` +\| (\w+) +\|/gm)
  return new Map([...rows].map(([, name = '', effect = '']) => [name, effect]))
}

async function tablesOf(world: World): Promise<string[]> {
  const { rows } = await world.database.executeSql(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  return (rows as { name: string }[]).map((row) => row.name)
}

/** Tables with a column that refers to a person, by a foreign key or by the column's name. */
async function tablesOfPeople(world: World): Promise<string[]> {
  const { rows } = await world.database.executeSql(
    `select distinct c.table_name as name from information_schema.columns c
     where c.table_schema = 'public' and (
       c.column_name ~ '(user|owner|author|creator|actor|reviewer|subject|blocker|blocked|member|from|to)_id$'
       or c.column_name in ('email', 'ip', 'sealed')
       or exists (
         select 1 from information_schema.key_column_usage k
         join information_schema.constraint_column_usage u using (constraint_schema, constraint_name)
         where k.table_name = c.table_name and k.column_name = c.column_name and u.table_name = 'users'))
     order by 1`,
  )
  return (rows as { name: string }[]).map((row) => row.name)
}

/** Tables, jobs and files that contain one of these texts. */
async function findings(world: World, texts: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  const search = (name: string, content: string) => {
    for (const text of texts) if (content.includes(text)) found.add(name)
  }
  for (const table of [...(await tablesOf(world)), 'pgboss.job']) {
    const { rows } = await world.database.executeSql(`select to_jsonb(t)::text as row from ${table} t`)
    for (const { row } of rows as { row: string }[]) search(table, row)
  }
  const root = path.dirname(storedAt(world, 'uploads'))
  for (const file of await readdir(root, { recursive: true })) {
    const fullPath = path.join(root, file)
    const folder = `${file.split(path.sep)[0]}/`
    search(folder, file)
    if ((await stat(fullPath)).isFile()) search(folder, await readFile(fullPath, 'utf8'))
  }
  return found
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('personal data', () => {
    let world: World
    let person: LivePerson
    let before: Set<string>
    let inTheYear: Set<string>
    let after: Set<string>
    let effects: Map<string, string>
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      effects = await listedEffects()
      person = await livePerson(world)
      await leave(world, person)
      before = await findings(world, [person.id, ...person.traces])
      world.clock.now += LEAVING_MS
      await deleteDueAccounts(world.deps)
      inTheYear = await findings(world, person.traces)
      await endKeptYear(world, person.id)
      after = await findings(world, [person.id, ...person.traces])
      return () => world.close()
    })

    test('the page lists every table and no other', async () => {
      const tables = [...effects.keys()].filter((it) => !it.endsWith('/'))
      expect(tables.toSorted()).toEqual(await tablesOf(world))
    })

    test('the page lists every folder of the data folder', async () => {
      const entries = await readdir(path.dirname(storedAt(world, 'uploads')), { withFileTypes: true })
      expect(
        entries.filter((it) => it.isDirectory() && !effects.has(`${it.name}/`)).map((it) => it.name),
      ).toEqual([])
    })

    test('the page lists no table that refers to a person as nothing', async () => {
      const wrong = (await tablesOfPeople(world)).filter((it) =>
        [undefined, 'nothing'].includes(effects.get(it)),
      )
      expect(wrong).toEqual([])
    })

    test('the person of this test has data wherever something is removed', () => {
      // Tables without personal data: encrypted, or ids of other rows.
      const withoutTraces = new Set([
        'equal_messages',
        'film_declarations',
        'letters',
        'media',
        'media_hashes',
        'message_media',
        'plan_pictures',
        'post_plans',
        'searched_words',
      ])
      const removed = [...effects].filter(
        ([name, effect]) => effect === 'removed' && !withoutTraces.has(name),
      )
      expect(removed.map(([name]) => name).filter((name) => !before.has(name))).toEqual([])
    })

    test('in the year after the deletion only a bought post has words of the person', () => {
      expect(inTheYear).toEqual(new Set(['posts', 'post_versions']))
    })

    test('after that year only the id remains, in tables listed as kept or emptied', async () => {
      const remaining = new Set(['kept', 'emptied'])
      expect([...after].filter((it) => !remaining.has(defined(effects.get(it))))).toEqual([])
      expect(await findings(world, person.traces)).toEqual(new Set())
    })

    test('all files and folders of the person are removed', async () => {
      const remaining = await Promise.all(
        ['uploads', 'media', 'exports', 'identity', 'identity-uploads'].map((it) =>
          readdir(storedAt(world, it)),
        ),
      )
      expect(remaining).toEqual([[...person.othersUploads].toSorted(), [], [], [], []])
    })

    test('the row of the person has no personal data and no password', async () => {
      const { rows } = await world.database.executeSql('select * from users where id = $1', [person.id])
      expect(rows[0]).toMatchObject({
        name: '退会したユーザー',
        email: `deleted-${person.id}@invalid`,
        bio: '',
        password_hash: '',
        role: 'member',
      })
    })

    test('purchases by the person and from the person stay, and the sold post is empty after the year', async () => {
      const { rows } = await world.database.executeSql(
        'select post_id, price from post_purchases where user_id = $1 or post_id = $2',
        [person.id, person.soldPostId],
      )
      expect(rows).toHaveLength(2)
      const sold = await world.database.executeSql('select content, deleted_at from posts where id = $1', [
        person.soldPostId,
      ])
      expect(sold.rows[0]).toMatchObject({ content: '' })
    })
  })
})
