// Account deletions on a test server.
import { deleteDueAccounts } from '#server/modules/leaving/erase.ts'
import { emptyDeletedPosts } from '#server/modules/posts/deleted.ts'
import { sweepLeftovers } from '#server/modules/leaving/leftovers.ts'
import { secretIn } from './emails.ts'
import { call, type Member, type Reply } from './members.ts'
import type { Email } from '#server/rules/email.ts'
import { hashToken } from '#server/services/auth/authenticate.ts'
import { sql } from 'drizzle-orm'
import type { World } from '#server/testing/world.ts'

/** Sets the time of validation of a member's session to now. */
export async function validate(world: World, member: Member): Promise<void> {
  const at = new Date(world.clock.now).toISOString()
  await world.deps.db.execute(
    sql`update sessions set validated_at = ${at}::timestamptz where token_hash = ${hashToken(member.token)}`,
  )
}

/** Requests the deletion of an account. */
export async function leave(world: World, member: Member): Promise<Reply> {
  await validate(world, member)
  return call(world, member, 'POST', '/user/deletion', { reason: 'unused', note: '' })
}

/** The secret in the link of an email. */
export function secretOf(emails: readonly Email[], is: 'deletion_asked' | 'export_ready') {
  const email = emails.findLast((it) => it.is === is)
  const url = email?.is === 'deletion_asked' ? email.undoUrl : email?.is === 'export_ready' ? email.url : ''
  return secretIn(url)
}

/** Deletes the accounts whose deletion is due. */
export const deleteDue = ({ deps }: World): Promise<void> => deleteDueAccounts(deps)

/** Erases again what earlier versions have left of deleted accounts. */
export const eraseLeftovers = ({ deps }: World): Promise<void> => sweepLeftovers(deps)

/** Lets a year pass since the account of a person was deleted, without the end of sessions, and sweeps. */
export async function endKeptYear(world: World, userId: string): Promise<void> {
  const earlier = `update users set deleted_at = deleted_at - interval '365 days' where id = $1`
  await world.database.executeSql(earlier, [userId])
  await emptyDeletedPosts(world.deps)
}

/** Empties posts that were deleted 30 days ago, and ends what is kept for buyers who are gone. */
export const sweepDeletedPosts = ({ deps }: World): Promise<void> => emptyDeletedPosts(deps)
