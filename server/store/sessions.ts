// Sessions: tokens known by their hash alone.
import { and, eq, gt, lt, lte } from 'drizzle-orm'
import type { Db } from './database.ts'
import { deletions } from './tables/accounts.ts'
import { sessions, users } from './tables/people.ts'

const DAY = 24 * 3600 * 1000
/** Life of a session, ms (specification section 9: 31,536,000,000 ms). */
export const SESSION_MS = 365 * DAY
const TOUCH_EVERY_MS = 60_000

export interface SessionUserRow {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly birthDate: string
  readonly role: 'member' | 'admin'
  /** The session the token belongs to. */
  readonly sessionId: string
  /** When the account will be deleted; null while it stays. */
  readonly deletionDue: Date | null
  /** When the person last proved who they are in this session. */
  readonly validatedAt: Date | null
}

type SessionRow = typeof sessions.$inferInsert
export type SessionMethod = NonNullable<SessionRow['method']>
export type NewSession = Pick<SessionRow, 'tokenHash' | 'userId' | 'method' | 'device' | 'ip' | 'resetId'>

export async function addSession(db: Db, session: NewSession, now: number): Promise<void> {
  const createdAt = new Date(now)
  const expiresAt = new Date(now + SESSION_MS)
  await db.insert(sessions).values({ ...session, createdAt, lastUsedAt: createdAt, expiresAt })
}

/** The person a token belongs to; its last use is written at most once a minute. */
export async function findSessionUser(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<SessionUserRow | undefined> {
  const rows = await db
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      birthDate: users.birthDate,
      role: users.role,
      sessionId: sessions.id,
      validatedAt: sessions.validatedAt,
      lastUsedAt: sessions.lastUsedAt,
      deletionDue: deletions.dueAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(deletions, eq(deletions.userId, users.id))
    .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, new Date(now))))
  const row = rows[0]
  if (row && now - row.lastUsedAt.getTime() >= TOUCH_EVERY_MS) await touch(db, tokenHash, now)
  return row
}

async function touch(db: Db, tokenHash: string, now: number): Promise<void> {
  await db
    .update(sessions)
    .set({ lastUsedAt: new Date(now) })
    .where(and(eq(sessions.tokenHash, tokenHash), lte(sessions.lastUsedAt, new Date(now - TOUCH_EVERY_MS))))
}

export async function removeSession(db: Db, tokenHash: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, tokenHash))
}

export async function removeExpiredSessions(db: Db, now: number): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, new Date(now)))
}
