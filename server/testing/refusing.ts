// Adds that must be refused: what they answer, and that they change nothing.
import { expect } from 'vitest'
import { newId } from '#contract/ids.ts'
import { addPost, errorOf, type FormValue, type Member } from './people/members.ts'
import type { World } from './world.ts'

const tables = ['posts', 'media', 'post_media', 'post_plans', 'uploads', 'pgboss.job']

/** Everything a refused add could have changed. */
async function everything(world: World): Promise<string> {
  const counts = tables.map(
    async (table) => (await world.database.executeSql(`select count(*)::int n from ${table}`)).rows[0],
  )
  return JSON.stringify(await Promise.all(counts))
}

/** Sends an add and gives its status and error, having seen that nothing changed. */
export async function refusedAdd(
  world: World,
  as: Member | null,
  fields: readonly (readonly [string, FormValue])[],
) {
  const before = await everything(world)
  const reply = await addPost(world, as, fields, newId())
  expect(await everything(world)).toBe(before)
  return [reply.statusCode, errorOf(reply)]
}
