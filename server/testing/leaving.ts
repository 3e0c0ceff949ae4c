// People of a test world who leave.
import { call, type Member, type Reply } from './members.ts'
import type { Letter } from '#server/rules/letter.ts'
import { hashToken } from '#server/http/session.ts'
import { sql } from 'drizzle-orm'
import type { World } from './world.ts'

/** As if the person had proven their password a moment ago. */
export async function prove(world: World, member: Member): Promise<void> {
  const at = new Date(world.clock.now).toISOString()
  await world.deps.db.execute(
    sql`update sessions set validated_at = ${at}::timestamptz where token_hash = ${hashToken(member.token)}`,
  )
}

/** Asks for the deletion of an account. */
export async function leave(world: World, member: Member): Promise<Reply> {
  await prove(world, member)
  return call(world, member, 'POST', '/user/deletion', { reason: 'unused', note: '' })
}

/** The secret in the link of a letter. */
export function secretOf(letters: readonly Letter[], is: 'deletion_asked' | 'export_ready') {
  const letter = letters.findLast((it) => it.is === is)
  const url =
    letter?.is === 'deletion_asked' ? letter.undoUrl : letter?.is === 'export_ready' ? letter.url : ''
  return new URL(url).searchParams.get('token') ?? ''
}
