// Breaks the audit log as a person with the database can, and reads it.
import { newId } from '#contract/ids.ts'
import type { World } from './world.ts'

/** Runs SQL while the triggers of the log are disabled. */
export async function tamper(world: World, text: string, values: readonly unknown[] = []): Promise<void> {
  const { database } = world
  await database.executeSql('alter table audit_log disable trigger user')
  try {
    await database.executeSql(text, values)
  } finally {
    await database.executeSql('alter table audit_log enable trigger user')
  }
}

/** Writes entries by one person, each in a unit of work of its own. @returns their ids, the oldest first */
export async function writeEntries(world: World, actorId: string, count: number): Promise<string[]> {
  for (let n = 0; n < count; n++)
    await world.deps.audit({
      actorId,
      act: 'reserved_names.read',
      subjectKind: 'user',
      subjectId: actorId,
      detail: { people: [newId()] },
      ip: '192.0.2.1',
    })
  const { rows } = await world.database.executeSql(
    'select id from audit_log where actor_id = $1 order by seq',
    [actorId],
  )
  return (rows as { id: string }[]).map((it) => it.id)
}
