// Sends posts that must be refused, and checks that they change nothing.
import { expect } from 'vitest'
import { newId } from '#contract/ids.ts'
import { addPost, errorOf, type FormValue, type Member } from './people/members.ts'
import type { World } from './world.ts'

const tables = ['posts', 'media', 'post_media', 'post_plans', 'uploads', 'pgboss.job']

/** Row counts of all tables that a post changes. */
async function rowCounts(world: World): Promise<string> {
  const counts = tables.map(
    async (table) => (await world.database.executeSql(`select count(*)::int n from ${table}`)).rows[0],
  )
  return JSON.stringify(await Promise.all(counts))
}

/** Sends a post and checks that nothing changed. @returns status and error */
export async function refusedAdd(
  world: World,
  as: Member | null,
  fields: readonly (readonly [string, FormValue])[],
) {
  const before = await rowCounts(world)
  const reply = await addPost(world, as, fields, newId())
  expect(await rowCounts(world)).toBe(before)
  return [reply.statusCode, errorOf(reply)]
}
