// The duties of columns are complete by type, and erasure does what they say.
import { asc, eq } from 'drizzle-orm'
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core'
import { beforeAll, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { deleteDueAccounts } from '#server/modules/leaving/erase.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { livePerson, type LivePerson } from '#server/testing/people/live-person.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { blocks } from '#server/store/tables/settings.ts'
import { allPersonal } from './all.ts'
import {
  anonymisedRows,
  type Duties,
  erasedRow,
  exportedRow,
  personal,
  quotedRow,
  quotedText,
} from './duties.ts'
import { accountColumns } from './people.ts'

const duties = {
  shown: 'owner',
  exported: 'a',
  disclosed: null,
  quoted: null,
  erased: 'stays',
  anonymised: 'id',
} as const

test('a column without duties does not type-check, nor does a value of another type', () => {
  // @ts-expect-error -- created_at is missing
  personal(blocks, '', { blockerId: duties, blockedId: duties })
  const wrong = { ...duties, erased: { to: 5 } } as const
  // @ts-expect-error -- an id is a text
  personal(blocks, '', { blockerId: wrong, blockedId: duties, createdAt: duties })
  expect(
    Object.keys(personal(blocks, '', { blockerId: duties, blockedId: duties, createdAt: duties }).columns),
  ).toEqual(['blockerId', 'blockedId', 'createdAt'])
})

test('a row without a column that is copied or quoted does not type-check', () => {
  // @ts-expect-error -- name, bio and links are missing
  expect(() => quotedRow(accountColumns, { handle: 'hana' })).toThrow(TypeError)
  // @ts-expect-error -- nearly all are missing
  expect(exportedRow(accountColumns, { id: '1' })).toMatchObject({ id: '1', email: undefined })
})

test('a table of which some columns alone are removed from anonymised copies is an error', () => {
  const removed = { ...duties, anonymised: 'removed' } as const
  const table = personal(blocks, '', { blockerId: removed, blockedId: duties, createdAt: duties })
  expect(() => anonymisedRows(table)).toThrow('a row without blockerId')
})

test('a quote of a person is each text, and one text without empty lines', () => {
  const person = { name: '海', handle: null, bio: '', links: ['https://a.example', 'https://b.example'] }
  expect(quotedRow(accountColumns, person)).toEqual({
    name: '海',
    handle: '',
    bio: '',
    links: 'https://a.example\nhttps://b.example',
  })
  expect(quotedText(accountColumns, person)).toBe('海\nhttps://a.example\nhttps://b.example')
  expect(quotedText(accountColumns, { ...person, handle: 'umi' })).toContain('@umi')
})

type Row = Readonly<Record<string, unknown>>
const nameOf = (table: (typeof allPersonal)[number][0]['table']) => getTableConfig(table).name

let world: World
let person: LivePerson
let before: Map<string, readonly Row[]>
let after: Map<string, readonly Row[]>

async function rowsOfPerson(): Promise<Map<string, readonly Row[]>> {
  const found = new Map<string, readonly Row[]>()
  for (const [{ table }, key] of allPersonal) {
    const owner = (table as unknown as Record<string, PgColumn>)[key] as PgColumn
    const rows = await world.deps.db.select().from(table).where(eq(owner, person.id)).orderBy(asc(owner))
    found.set(nameOf(table), rows)
  }
  return found
}

beforeAll(async () => {
  world = await openWorld()
  person = await livePerson(world)
  await leave(world, person)
  before = await rowsOfPerson()
  world.clock.now += LEAVING_MS
  await deleteDueAccounts(world.deps)
  after = await rowsOfPerson()
  return () => world.close()
}, 60_000)

test.each(allPersonal)('erasure leaves of %o what its duties say', ({ table, columns }) => {
  const [earlier, left] = [before.get(nameOf(table)) ?? [], after.get(nameOf(table)) ?? []]
  expect(earlier).not.toEqual([])
  const all = Object.entries(columns) as unknown as [string, Duties<unknown>][]
  if (all.every(([, { erased }]) => erased === 'goes')) return expect(left).toEqual([])
  expect(left).not.toEqual([])
  const set = erasedRow({ table, kept: '', columns } as typeof accountColumns, {
    id: person.id,
    at: new Date(world.clock.now),
  }) as Row
  for (const row of left) {
    const was = earlier.find((it) => it['id'] === row['id'])
    for (const [key, { erased }] of all) {
      if (erased === 'stays' && !changing.has(key)) expect([key, row[key]]).toEqual([key, was?.[key]])
      if (typeof erased === 'object' && 'to' in erased) expect([key, row[key]]).toEqual([key, set[key]])
    }
  }
})

/** The number of the last change of a message, which each change moves; when the account was deleted. */
const changing = new Set(['change', 'deletedAt'])
