// Sessions: tokens known by their hash alone.
import { and, desc, eq, gt, inArray, isNull, lt, lte, ne, sql } from 'drizzle-orm'
import { ROTATION_GRACE_MS } from '#contract/accounts/sessions.ts'
import type { Db } from '#server/store/database.ts'
import { dateOf, dateOrNull, momentOf, statement } from '#server/store/statement.ts'
import { deletions } from '#server/store/tables/accounts.ts'
import { sessions, users } from '#server/store/tables/people.ts'

const DAY = 24 * 3600 * 1000
/** Life of a session, ms (specification section 9: 31,536,000,000 ms). */
export const SESSION_MS = 365 * DAY
const TOUCH_EVERY_MS = 60_000

export type Session = typeof sessions.$inferSelect

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
  /** An admin has shut the account. */
  readonly suspended: boolean
  /** When the person last proved who they are in this session. */
  readonly validatedAt: Date | null
  /** Since when the token is the session's own. */
  readonly tokenSince: Date
  /** Id in the device cookie of the browser that used the token first. */
  readonly deviceId: string | null
}

/** The session that an exchanged token was of, and where its present token is used. */
export interface StaleSession {
  readonly sessionId: string
  readonly userId: string
  readonly device: string
  readonly ip: string
  readonly deviceId: string | null
}

/** Whose a token is. `stale`: it was exchanged for another one, and its time is over. */
export type Presented =
  | { readonly is: 'known'; readonly user: SessionUserRow; readonly lastUsedAt: Date }
  | ({ readonly is: 'stale' } & StaleSession)
  | { readonly is: 'unknown' }

type SessionRow = typeof sessions.$inferInsert
export type SessionMethod = NonNullable<SessionRow['method']>
export type NewSession = Pick<
  SessionRow,
  'tokenHash' | 'userId' | 'method' | 'device' | 'ip' | 'place' | 'resetId' | 'deviceId'
>

export async function addSession(db: Db, session: NewSession, now: number): Promise<void> {
  const createdAt = new Date(now)
  const expiresAt = new Date(now + SESSION_MS)
  await db.insert(sessions).values({ ...session, createdAt, lastUsedAt: createdAt, expiresAt })
}

interface SessionFound {
  readonly session_id: string
  readonly token_hash: string
  readonly next_hash: string | null
  readonly created_at: string
  readonly last_used_at: string
  readonly validated_at: string | null
  readonly rotated_at: string | null
  readonly id: string
  readonly email: string
  readonly name: string
  readonly birth_date: string
  readonly role: 'member' | 'admin'
  readonly suspended_at: string | null
  readonly due_at: string | null
  readonly device: string
  readonly ip: string
  readonly device_id: string | null
}

/** Every request of a signed-in person asks this first. */
const sessionOfToken = statement<{ hash: string; now: string }, SessionFound>(
  { hash: 'text', now: 'timestamptz' },
  (place) => sql`select s.id as session_id, s.token_hash, s.next_hash,
      s.created_at, s.last_used_at, s.validated_at, s.rotated_at, s.device, s.ip, s.device_id,
      u.id, u.email, u.name, u.birth_date, u.role, u.suspended_at, d.due_at
    from ${sessions} s join ${users} u on u.id = s.user_id left join ${deletions} d on d.user_id = u.id
    where (s.token_hash = ${place('hash')} or s.next_hash = ${place('hash')} or s.previous_hash = ${place('hash')})
      and s.expires_at > ${place('now')}`,
)

/**
 * Finds whose a token is. The first use of a token that was given out in exchange makes it the session's own.
 * @param deviceId of the browser that presents it
 */
export async function findSession(
  db: Db,
  tokenHash: string,
  deviceId: string | null,
  now: number,
): Promise<Presented> {
  const [row] = await sessionOfToken(db, { hash: tokenHash, now: momentOf(now) })
  if (!row) return { is: 'unknown' }
  const rotatedAt = dateOrNull(row.rotated_at)
  if (row.token_hash !== tokenHash && row.next_hash !== tokenHash) {
    const since = rotatedAt?.getTime() ?? 0
    if (now - since >= ROTATION_GRACE_MS) return { is: 'stale', ...staleOf(row) }
  }
  const exchanged = row.next_hash === tokenHash
  if (exchanged) await takeNext(db, { tokenHash: row.token_hash, nextHash: tokenHash, deviceId }, now)
  const { id, email, name, birth_date: birthDate, role } = row
  const user: SessionUserRow = {
    id,
    email,
    name,
    birthDate,
    role,
    suspended: row.suspended_at !== null,
    deletionDue: dateOrNull(row.due_at),
    sessionId: row.session_id,
    validatedAt: dateOrNull(row.validated_at),
    deviceId: exchanged ? deviceId : row.device_id,
    tokenSince: exchanged ? new Date(now) : (rotatedAt ?? dateOf(row.created_at)),
  }
  return { is: 'known', user, lastUsedAt: dateOf(row.last_used_at) }
}

const staleOf = (row: SessionFound): StaleSession => ({
  sessionId: row.session_id,
  userId: row.id,
  device: row.device,
  ip: row.ip,
  deviceId: row.device_id,
})

/**
 * The session that one of these tokens belongs to now.
 * @param tokenHashes of the tokens that a token was exchanged for, one after the other
 */
export async function findLaterSession(
  db: Db,
  tokenHashes: readonly string[],
  now: number,
): Promise<StaleSession | undefined> {
  const rows = await db
    .select({
      sessionId: sessions.id,
      userId: sessions.userId,
      device: sessions.device,
      ip: sessions.ip,
      deviceId: sessions.deviceId,
    })
    .from(sessions)
    .where(and(inArray(sessions.tokenHash, [...tokenHashes]), gt(sessions.expiresAt, new Date(now))))
  return rows[0]
}

/** Notes the browser of a session that had none. */
export async function bindSession(db: Db, id: string, deviceId: string): Promise<void> {
  await db
    .update(sessions)
    .set({ deviceId })
    .where(and(eq(sessions.id, id), isNull(sessions.deviceId)))
}

/** Two requests may bring the new token first at the same moment: one of them changes the row. */
async function takeNext(
  db: Db,
  { tokenHash, nextHash, deviceId }: { tokenHash: string; nextHash: string; deviceId: string | null },
  now: number,
): Promise<void> {
  await db
    .update(sessions)
    .set({ tokenHash: nextHash, previousHash: tokenHash, nextHash: null, rotatedAt: new Date(now), deviceId })
    .where(and(eq(sessions.tokenHash, tokenHash), eq(sessions.nextHash, nextHash)))
}

/** Notes the token that is given out in exchange; both are good until the new one comes back. */
export async function offerToken(db: Db, tokenHash: string, nextHash: string): Promise<boolean> {
  const offered = await db
    .update(sessions)
    .set({ nextHash })
    .where(eq(sessions.tokenHash, tokenHash))
    .returning({ id: sessions.id })
  return offered.length === 1
}

/** Records a session's use, at most once a minute. `seen` is called only then. */
export async function touchSession(
  db: Db,
  { user, lastUsedAt }: Extract<Presented, { is: 'known' }>,
  seen: () => { ip: string; place: string | null },
  now: number,
): Promise<void> {
  const due = new Date(now - TOUCH_EVERY_MS)
  if (lastUsedAt > due) return
  await db
    .update(sessions)
    .set({ lastUsedAt: new Date(now), ...seen() })
    .where(and(eq(sessions.id, user.sessionId), lte(sessions.lastUsedAt, due)))
}

/** Notes that the person has just proven who they are in this session. */
export async function validateSession(db: Db, id: string, now: number): Promise<void> {
  await db
    .update(sessions)
    .set({ validatedAt: new Date(now) })
    .where(eq(sessions.id, id))
}

/** A person's sessions that have not run out, last used first. */
export async function listSessions(db: Db, userId: string, now: number): Promise<Session[]> {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, new Date(now))))
    .orderBy(desc(sessions.lastUsedAt), sessions.id)
}

/**
 * Which of these sessions are valid, with their persons: by the same rule as a token. An account that waits for its
 * deletion, or is suspended, has none.
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

/** Ends one session of this person and gives it; undefined when they have none of this id. */
export async function removeSession(db: Db, userId: string, id: string): Promise<Session | undefined> {
  const removed = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning()
  return removed[0]
}

/** Ends a person's sessions, all of them or all but one; gives those it ended. */
export async function removeSessions(db: Db, userId: string, except?: string): Promise<Session[]> {
  const theirs = eq(sessions.userId, userId)
  return db
    .delete(sessions)
    .where(except === undefined ? theirs : and(theirs, ne(sessions.id, except)))
    .returning()
}

export async function removeExpiredSessions(db: Db, now: number): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, new Date(now)))
}
