// Copies and quotes of a person's data, and what erasure leaves.
import { eq } from 'drizzle-orm'
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core'
import { beforeAll, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { newId } from '#contract/ids.ts'
import type { Viewer } from './http/viewer.ts'
import { authorityEntries } from './modules/exports/authority-entries.ts'
import { gatherEntries } from './modules/exports/gather.ts'
import { deleteDueAccounts } from './modules/leaving/erase.ts'
import { currentContent } from './modules/moderation/case-view.ts'
import { findTarget } from './modules/reports/target.ts'
import { sealSeller } from './services/sellers/sealed-seller.ts'
import { clearingLines } from './rules/payouts/clearing.ts'
import { addClearing } from './store/payouts/balances.ts'
import { addEntryOnce } from './store/payments/ledger.ts'
import { allPersonal } from './store/personal/all.ts'
import type { Duties } from './store/personal/duties.ts'
import { departedPayees } from './store/tables/bank-accounts.ts'
import { endKeptYear, leave } from './testing/people/leaving.ts'
import { livePerson, type LivePerson } from './testing/people/live-person.ts'
import { signUp } from './testing/people/members.ts'
import { openWorld, type World } from './testing/world.ts'

type Table = (typeof allPersonal)[number][0]['table']
type Row = Readonly<Record<string, unknown>>

let world: World
let person: LivePerson
let transcript = ''
let before: Map<Table, readonly Row[]>
let after: Map<Table, readonly Row[]>

const seller = {
  name: '海野 花',
  address: '東京都',
  phone: '0312345678',
  email: 'a@b.example',
  hours: '9時から',
  registration_number: 'T9011001029597',
  registered_on: '2026-04-01',
}

beforeAll(async () => {
  world = await openWorld()
  person = await livePerson(world)
  // The person's sealed rows have a text in place of a cipher.
  for (const table of ['inquiries', 'reported_messages'])
    await world.database.executeSql(`delete from ${table}`)
  await world.database.executeSql('update sellers set sealed = $2 where user_id = $1', [
    person.id,
    sealSeller(world.deps, person.id, seller),
  ])
  // Rows of one moment have no order.
  await world.database.executeSql(
    `update seller_requests set requested_at = requested_at - interval '1 minute' where answered_at is null`,
  )
  await world.database.executeSql(
    `update reports set created_at = created_at - interval '1 minute' where target_kind = 'message'`,
  )
  await addCopies()
  await addQuotes()
  transcript = settled(transcript)
  await leave(world, person)
  await world.database.executeSql('update users set limited_at = created_at where id = $1', [person.id])
  await world.database.executeSql('update comments set held_at = created_at where author_id = $1', [
    person.id,
  ])
  await owe()
  before = await rowsOfPerson()
  world.clock.now += LEAVING_MS
  await deleteDueAccounts(world.deps)
  await endKeptYear(world, person.id)
  after = await rowsOfPerson()
  return () => world.close()
}, 60_000)

const add = (title: string, value: unknown) => {
  transcript += `## ${title}\n${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}\n\n`
}

async function addCopies(): Promise<void> {
  for (const it of (await gatherEntries(world.deps, person.id)) ?? [])
    if (it.is === 'text' && it.name.endsWith('.json')) add(it.name, it.text)
  const asked = {
    userId: person.id,
    from: new Date(0),
    to: new Date(world.clock.now + 1),
    caseNumber: 'A-1',
  }
  for (const it of (await authorityEntries(world.deps, asked)) ?? [])
    if (it.is === 'text') add(`authority: ${it.name}`, it.text)
}

async function addQuotes(): Promise<void> {
  const reader = await signUp(world)
  const viewer = { id: reader.id, role: 'member', birthDate: '1990-01-01' } as Viewer
  const { rows } = await world.database.executeSql('select id from comments where author_id = $1 limit 1', [
    person.id,
  ])
  const [comment] = rows as [{ id: string }]
  const targets = { post: person.soldPostId, comment: comment.id, person: person.id }
  for (const kind of ['post', 'comment', 'person'] as const) {
    const found = { targetKind: kind, targetId: targets[kind] }
    add(`quoted: ${kind}`, await findTarget(world.deps, viewer, kind, targets[kind]))
    add(`current: ${kind}`, await currentContent(world.deps, viewer, found))
  }
}

/** Books a yen in the person's balance, so that what a payout needs stays. */
async function owe(): Promise<void> {
  const [id, now] = [newId(), world.clock.now]
  const clearing = { creatorId: person.id, kind: 'repaid', amount: 1 } as const
  const row = { ...clearing, id, reason: '', actorId: null, createdAt: new Date(now) }
  const entry = { cause: 'balance_cleared', creatorId: person.id, clearingId: id } as const
  await world.deps.transaction(async ({ tx }) => {
    await addClearing(tx, row)
    await addEntryOnce(tx, { ...entry, lines: clearingLines(clearing) }, now)
  })
}

/** The same in each run: without ids, numbers of members, and times of this day. */
function settled(text: string): string {
  const [, trace = '', , handle = ''] = person.traces
  return (
    text
      .replaceAll(trace, 'しるし')
      .replaceAll(handle, 'handle')
      .replaceAll(/member\d+@|会員\d+/g, (it) => it.replace(/\d+/, ''))
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'time')
      // Days of this year and in file names: those of Tokyo and those of UTC differ for nine hours of each day.
      .replaceAll(/20\d\d-\d\d-\d\d(?=_|")/g, 'today')
  )
}

async function rowsOfPerson(): Promise<Map<Table, readonly Row[]>> {
  const found = new Map<Table, readonly Row[]>()
  for (const [{ table }, key] of allPersonal) {
    const owner = (table as unknown as Readonly<Record<string, PgColumn>>)[key] as PgColumn
    found.set(table, await world.deps.db.select().from(table).where(eq(owner, person.id)))
  }
  return found
}

test('the copies of their data and the quotes of their content are those of the transcript', async () => {
  await expect(transcript).toMatchFileSnapshot('personal-copies.transcript.txt')
})

/** What each deletion changes in a row that stays, beside what the duties say. */
const changing = new Set(['messages.change', 'users.deletedAt'])

const cases = allPersonal.map(([it]) => [getTableConfig(it.table).name, it] as const)
test.each(cases)('erasure leaves of %s what the duties of its columns say', (name, { table, columns }) => {
  const [earlier, left] = [before.get(table) ?? [], after.get(table) ?? []]
  const duties = Object.entries(columns) as [string, Duties<unknown>][]
  // The erasure itself makes its rows.
  if (table !== departedPayees) expect(earlier).not.toEqual([])
  expect(left.length > 0).toBe(duties.some(([, { erased }]) => erased !== 'goes'))
  const values = (of: (key: string, duty: Duties<unknown>) => unknown) =>
    duties.flatMap(([key, duty]) =>
      duty.erased === 'stays' ||
      (typeof duty.erased === 'object' && 'until' in duty.erased) ||
      (typeof duty.erased === 'object' && 'to' in duty.erased)
        ? [[key, changing.has(`${name}.${key}`) ? 'changes' : of(key, duty)]]
        : [],
    )
  for (const row of earlier.length === 0 ? [] : left) {
    const was = earlier.find((it) => it['id'] === row['id'])
    expect(values((key) => row[key])).toEqual(
      values((key, { erased }) => (typeof erased === 'object' && 'to' in erased ? erased.to : was?.[key])),
    )
  }
})
