// Whose film is made next, and whose smaller renditions: in turns among people.
import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'

/** `play`: the film that people watch. `ladder`: its smaller renditions. */
export type FilmWork = 'play' | 'ladder'

export interface WaitingFilm {
  readonly id: string
  readonly ownerId: string
}

/** Films that wait for each kind of work, those included that are under work now. */
const waits: Record<FilmWork, SQL> = {
  play: sql`m.state = 'processing'`,
  ladder: sql`m.state = 'ready' and m.ladder_since is not null`,
}

/** An attempt that failed is followed by the next one after 2, 4, 8 … seconds. */
const mayBegin: Record<FilmWork, SQL> = {
  play: sql`(m.attempts = 0 or m.begun_at is null
    or m.begun_at + make_interval(secs => 2 ^ least(m.attempts, 10)) <= now())`,
  ladder: sql`true`,
}

const begunAt: Record<FilmWork, SQL> = { play: sql`begun_at`, ladder: sql`ladder_begun_at` }

/**
 * The oldest waiting film of each person. People of whose films the fewest were begun within the last hour come first,
 * so that one film overtakes another's twenty, and twenty films wait an hour at the longest behind those of newcomers.
 * @param ownerId that person's film alone
 */
export async function nextFilms(db: Db, work: FilmWork, ownerId?: string): Promise<WaitingFilm[]> {
  const ofOwner = ownerId === undefined ? sql`` : sql`and u.owner_id = ${ownerId}`
  const rows = await db.execute(sql`
    with waiting as (
      select distinct on (u.owner_id) u.owner_id, m.id, m.created_at
      from media m join uploads u on u.id = m.id
      where m.kind = 'video' and ${waits[work]} and ${mayBegin[work]} ${ofOwner}
      order by u.owner_id, m.created_at, m.id)
    select id, owner_id as "ownerId" from waiting w
    order by (
      select count(*) from uploads u join media m on m.id = u.id
      where u.owner_id = w.owner_id and m.kind = 'video' and m.${begunAt[work]} > now() - interval '1 hour'
    ), created_at, id`)
  return (rows as { rows: WaitingFilm[] }).rows
}

/** A film that waits for the work or is under it; undefined when none does. */
export async function anyFilm(db: Db, work: FilmWork): Promise<string | undefined> {
  const rows = await db.execute(
    sql`select m.id from media m where m.kind = 'video' and ${waits[work]} limit 1`,
  )
  return (rows as { rows: { id: string }[] }).rows[0]?.id
}

/** Films whose smaller renditions are wanted, the oldest wish first. */
export async function listWantedLadders(db: Db): Promise<string[]> {
  const rows = await db.execute(
    sql`select m.id from media m where m.kind = 'video' and ${waits.ladder} order by m.ladder_since`,
  )
  return (rows as { rows: { id: string }[] }).rows.map((it) => it.id)
}
