// The statements of docs/operate/breach.md are those of the present schema.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { livePerson, type LivePerson } from '#server/testing/people/live-person.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let person: LivePerson
beforeAll(async () => {
  world = await openWorld()
  person = await livePerson(world)
  await world.database.executeSql(
    `update seller_requests set answer = 'disclosed', answered_by = 'rule' where answered_at is not null`,
  )
  return () => world.close()
}, 60_000)

test('each statement that finds who is concerned finds a person of each kind', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../docs/operate/breach.md'), 'utf8')
  const statements = [...page.matchAll(/```sql\n([^`]+)```/g)].map(([, text = '']) => text)
  expect(statements).toHaveLength(7)
  for (const text of statements) {
    const found = text
      .replace('staff@example.com', person.email)
      .replace("'2026-11-03 00:00+09'", "'2999-01-01'")
      .replaceAll("'2026-11-01 00:00+09'", "'2000-01-01'")
      .replace("< '2026-11-03 00:00+09'", "< '2999-01-01'")
    const { rows } = await world.database.executeSql(found)
    const isAudit = text.includes('audit_log')
    expect([text, isAudit || JSON.stringify(rows).includes(person.id)]).toEqual([text, true])
  }
})
