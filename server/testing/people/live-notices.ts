// Fills the tables of notices for a person whose deletion is tested.
import { newId } from '#contract/ids.ts'
import type { Member } from './members.ts'
import type { World } from '#server/testing/world.ts'

/** A notice for the members of the person, which they have opened, and their consent to advertising. */
export async function fillNotices(world: World, person: Member): Promise<void> {
  const run = (statement: string, values: readonly unknown[]) => world.database.executeSql(statement, values)
  const at = new Date(world.clock.now).toISOString()
  const noticeId = newId()
  await run(
    `insert into notices (id, title, body, content, state, audience, audience_creator_id, pushes, mails, is_advertising,
       is_urgent, created_at, published_at)
     values ($1, 'お知らせ', '', '[]', 'published', 'members', $2, false, false, false, false, $3, $3)`,
    [noticeId, person.id, at],
  )
  await run(
    `insert into notice_marks (notice_id, user_id, read_on, closed_at) values ($1, $2, '2026-11-26', $3)`,
    [noticeId, person.id, at],
  )
  await run(`insert into advertising_consents (user_id, given_at) values ($1, $2)`, [person.id, at])
}
