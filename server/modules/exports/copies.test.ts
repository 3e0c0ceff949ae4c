// What copies of a person's data and quotes for staff have, and what erasure leaves: a transcript.
import { beforeAll, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { deleteDueAccounts } from '#server/modules/leaving/erase.ts'
import { currentContent } from '#server/modules/moderation/case-view.ts'
import { findTarget } from '#server/modules/reports/target.ts'
import { sealSeller } from '#server/services/sellers/sealed-seller.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { livePerson, type LivePerson } from '#server/testing/people/live-person.ts'
import { signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { authorityEntries } from './authority-entries.ts'
import { gatherEntries } from './gather.ts'

let world: World
let person: LivePerson
let transcript = ''

/** The same in each run: without ids, and without times of this day. */
function settled(text: string, { traces }: LivePerson): string {
  const [, trace = '', , handle = ''] = traces
  const day = new Date(world.clock.now).toISOString().slice(0, 10)
  return text
    .replaceAll(trace, 'しるし')
    .replaceAll(handle, 'handle')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00(:00)?)/g, 'time')
    .replaceAll(day, 'today')
}

async function rowsOf(table: string, owner: string): Promise<unknown> {
  const sql = `select to_jsonb(t) as row from ${table} t where ${owner} = $1 order by to_jsonb(t)::text`
  return (await world.database.executeSql(sql, [person.id])).rows.map((it) => (it as { row: unknown }).row)
}

const add = (title: string, value: unknown) => {
  transcript += `## ${title}\n${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}\n\n`
}

beforeAll(async () => {
  world = await openWorld()
  person = await livePerson(world)
  const reader = await signUp(world)
  // The person's sealed rows have a text in place of a cipher.
  for (const table of ['inquiries', 'reported_messages'])
    await world.database.executeSql(`delete from ${table}`)
  await world.database.executeSql('update sellers set sealed = $2 where user_id = $1', [
    person.id,
    sealSeller(world.deps, person.id, seller),
  ])
  for (const it of (await gatherEntries(world.deps, person.id)) ?? [])
    if (it.is === 'text' && it.name.endsWith('.json')) add(it.name, it.text)
  const asked = { userId: person.id, from: new Date(0), to: new Date(world.clock.now + 1), caseNumber: 'A-1' }
  for (const it of (await authorityEntries(world.deps, asked)) ?? [])
    if (it.is === 'text') add(`authority: ${it.name}`, it.text)
  const viewer = { id: reader.id, role: 'member', birthDate: '1990-01-01' } as Viewer
  const own = await world.database.executeSql('select id from comments where author_id = $1 limit 1', [
    person.id,
  ])
  const targets = {
    post: person.soldPostId,
    comment: (own.rows[0] as { id: string }).id,
    person: person.id,
  } as const
  for (const kind of ['post', 'comment', 'person'] as const) {
    add(`quoted: ${kind}`, await findTarget(world.deps, viewer, kind, targets[kind]))
    add(
      `current: ${kind}`,
      await currentContent(world.deps, viewer, { targetKind: kind, targetId: targets[kind] } as never),
    )
  }
  transcript = settled(transcript, person)
  await leave(world, person)
  world.clock.now += LEAVING_MS
  await deleteDueAccounts(world.deps)
  for (const [table, owner] of tables) add(`left: ${table}`, await rowsOf(table, owner))
  transcript = settled(transcript, person)
  return () => world.close()
}, 60_000)

const seller = {
  name: '海野 花',
  address: '東京都',
  phone: '0312345678',
  email: 'a@b.example',
  hours: '9時から',
}

const tables = [
  ['users', 'id'],
  ['user_details', 'user_id'],
  ['user_settings', 'user_id'],
  ['notification_settings', 'user_id'],
  ['sellers', 'user_id'],
  ['bank_accounts', 'user_id'],
  ['posts', 'author_id'],
  ['comments', 'author_id'],
  ['messages', 'sender_id'],
] as const

test('the copies, the quotes and what erasure leaves are those of the transcript', async () => {
  await expect(transcript).toMatchFileSnapshot('copies.transcript.txt')
})
