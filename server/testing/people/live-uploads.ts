// Uploads and removed objects of a person with data in every table.
import { newId } from '#contract/ids.ts'
import type { World } from '#server/testing/world.ts'
import { uploadDocument } from './identity.ts'
import type { Member } from './members.ts'

export async function fillUploads(world: World, person: Member, trace: string): Promise<void> {
  const { id } = person
  await uploadDocument(world, person, Buffer.from(trace))
  await world.database.executeSql(
    `insert into upload_parts (upload_id, no, start, size, etag, sha256)
     select id, 1, 0, 1, $2, $2 from uploads where owner_id = $1`,
    [id, trace],
  )
  await world.database.executeSql('insert into object_removals values ($1, $2, $3)', [
    `uploads/${newId()}`,
    id,
    new Date(world.clock.now).toISOString(),
  ])
}
