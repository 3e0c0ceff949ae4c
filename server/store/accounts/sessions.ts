// Sessions, found by the hashes of their tokens, and the exchange of tokens.
import { and, desc, eq, gt, inArray, isNull, lt, lte, ne, sql } from 'drizzle-orm'
import type { Role } from '#contract/administration/role-names.ts'
import { ROTATION_GRACE_MS } from '#contract/accounts/sessions.ts'
import type { Db } from '#server/store/database.ts'
import { dateOf, dateOrNull, momentOf, statement } from '#server/store/statement.ts'
import { deletions, passkeys } from '#server/store/tables/accounts.ts'
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
  readonly role: Role
  /** Id of the session to which the token belongs. */
  readonly sessionId: string
  /** When the account will be deleted; null for an account that is not leaving. */
  readonly deletionDue: Date | null
  /** Whether an admin has suspended the account. */
  readonly suspended: boolean
  /** When the person last proved who they are in this session. */
  readonly validatedAt: Date | null
  /** When a passkey last opened or validated this session; null for never. */
  readonly passkeyAt: Date | null
  /** Whether staff need such a session: an admin has a passkey. Always false for members. */
  readonly passkeyRequired: boolean
  /** Since when this token is the session's current one. */
  readonly tokenSince: Date
  /** Id in the device cookie of the browser that used the token first. */
  readonly deviceId: string | null
}

/** The session of an exchanged token, and where its current token is used. */
export interface StaleSession {
  readonly sessionId: string
  readonly userId: string
  readonly device: string
  readonly ip: string
  readonly deviceId: string | null
}

/** The result of looking up a token. `stale`: it was exchanged for another one, and its grace time is over. */
export type Presented =
  | { readonly is: 'known'; readonly user: SessionUserRow; readonly lastUsedAt: Date }
  | ({ readonly is: 'stale' } & StaleSession)
  | { readonly is: 'unknown' }

type SessionRow = typeof sessions.$inferInsert
export type SessionMethod = NonNullable<SessionRow['method']>
export type NewSession = Pick<
  SessionRow,
  'tokenHash' | 'userId' | 'method' | 'passkeyAt' | 'device' | 'ip' | 'place' | 'resetId' | 'deviceId'
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
  readonly passkey_at: string | null
  readonly passkey_required: boolean
  readonly id: string
  readonly email: string
  readonly name: string
  readonly birth_date: string
  readonly role: Role
  readonly suspended_at: string | null
  readonly due_at: string | null
  readonly device: string
  readonly ip: string
  readonly device_id: string | null
}

/** Finds the session of a token; the first query of every authenticated request. */
const sessionOfToken = statement<{ hash: string; now: string }, SessionFound>(
  { hash: 'text', now: 'timestamptz' },
  (param) => sql`select s.id as session_id, s.token_hash, s.next_hash,
      s.created_at, s.last_used_at, s.validated_at, s.passkey_at, s.rotated_at, s.device, s.ip, s.device_id,
      u.id, u.email, u.name, u.birth_date, u.role, u.suspended_at, d.due_at,
      case when u.role <> 'member' then exists (select 1 from ${users} a join ${passkeys} p on p.user_id = a.id
        where a.role = 'admin' and a.deleted_at is null) else false end as passkey_required
    from ${sessions} s join ${users} u on u.id = s.user_id left join ${deletions} d on d.user_id = u.id
    where (s.token_hash = ${param('hash')} or s.next_hash = ${param('hash')} or s.previous_hash = ${param('hash')})
      and s.expires_at > ${param('now')}`,
)

/**
 * Finds the owner of a token. The first use of a token that was issued in exchange makes it the session's current one.
 * @param deviceId id of the browser that sends the token
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
    passkeyAt: dateOrNull(row.passkey_at),
    passkeyRequired: row.passkey_required,
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
 * The session whose current token is one of these.
 * @param tokenHashes hashes of the tokens for which a token was exchanged, one after the other
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

/** Records the browser of a session that has none. */
export async function bindSession(db: Db, id: string, deviceId: string): Promise<void> {
  await db
    .update(sessions)
    .set({ deviceId })
    .where(and(eq(sessions.id, id), isNull(sessions.deviceId)))
}

/** Makes an offered token the current one; of two concurrent first uses one changes the row. */
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

/**
 * Records the token that is issued in exchange; both are valid until the new one is used.
 * @param nextHashes what may be issued, the preferred one first; one that was issued already is issued again
 * @returns the issued one; undefined when the token is not a session's present one
 */
export async function offerToken(
  db: Db,
  tokenHash: string,
  nextHashes: readonly [string, ...string[]],
): Promise<string | undefined> {
  const isOffered = inArray(sessions.nextHash, [...nextHashes])
  const [row] = await db
    .update(sessions)
    .set({ nextHash: sql`case when ${isOffered} then ${sessions.nextHash} else ${nextHashes[0]} end` })
    .where(eq(sessions.tokenHash, tokenHash))
    .returning({ nextHash: sessions.nextHash })
  return row?.nextHash ?? undefined
}

/** Records a session's use, at most once a minute. @param seen called only when the use is recorded */
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

/** Records the build of the app that a session's page has; the row changes with the build alone. */
export async function recordBuild(db: Db, id: string, build: string): Promise<void> {
  await db
    .update(sessions)
    .set({ build })
    .where(and(eq(sessions.id, id), sql`${sessions.build} is distinct from ${build}`))
}

/** Records the validation (proven password or passkey) of a session. */
export async function validateSession(
  db: Db,
  id: string,
  by: 'password' | 'passkey',
  now: number,
): Promise<void> {
  const validatedAt = new Date(now)
  await db
    .update(sessions)
    .set(by === 'passkey' ? { validatedAt, passkeyAt: validatedAt } : { validatedAt })
    .where(eq(sessions.id, id))
}

/** A person's unexpired sessions, last used first. */
export async function listSessions(db: Db, userId: string, now: number): Promise<Session[]> {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, new Date(now))))
    .orderBy(desc(sessions.lastUsedAt), sessions.id)
}

/** Ends a session of this person and returns it; undefined when they have none with this id. */
export async function removeSession(db: Db, userId: string, id: string): Promise<Session | undefined> {
  const removed = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning()
  return removed[0]
}

/** Ends a person's sessions, all of them or all but one, and returns those. */
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
