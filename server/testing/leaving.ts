// People of a test world who leave, and the letters that wait for them.
import { call, type Member, type Reply } from './members.ts'
import type { PostedLetter } from '#server/letters.ts'
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

/** Letters to an address that wait to be sent, oldest first. */
export async function lettersTo(world: World, email: string): Promise<PostedLetter['letter'][]> {
  const { rows } = await world.database.executeSql('select id from letters order by created_at, id')
  const all = await Promise.all(
    (rows as { id: string }[]).map((row) => world.deps.letters.take(world.deps.db, row.id)),
  )
  return all.flatMap((it) => (it?.to.email === email ? [it.letter] : []))
}

/** The secret in the link of a letter. */
export function secretOf(letters: readonly PostedLetter['letter'][], is: 'deletion_asked' | 'export_ready') {
  const letter = letters.findLast((it) => it.is === is)
  const url =
    letter?.is === 'deletion_asked' ? letter.undoUrl : letter?.is === 'export_ready' ? letter.url : ''
  return new URL(url).searchParams.get(is === 'export_ready' ? 'export' : 'token') ?? ''
}
