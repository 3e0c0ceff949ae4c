// Which sessions are valid, for open connections.
import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { deletions } from '#server/store/tables/accounts.ts'
import { sessions, users } from '#server/store/tables/people.ts'

/**
 * Which of these sessions are valid, with their people, by the same rule as a token. Leaving and suspended accounts have
 * no valid session.
 */
export async function openSessions(
  db: Db,
  ids: readonly string[],
  now: number,
): Promise<Map<string, { id: string; birthDate: string }>> {
  const rows = await db
    .select({ sessionId: sessions.id, id: users.id, birthDate: users.birthDate })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(deletions, eq(deletions.userId, users.id))
    .where(
      and(
        inArray(sessions.id, [...ids]),
        gt(sessions.expiresAt, new Date(now)),
        isNull(users.suspendedAt),
        isNull(deletions.userId),
      ),
    )
  return new Map(rows.map(({ sessionId, ...person }) => [sessionId, person]))
}
