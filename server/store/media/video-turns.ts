// Chooses the next video to convert or to get renditions, in turns among people.
import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'

/** The work on a video. `play`: converting it for playback. `ladder`: making its smaller renditions. */
export type VideoWork = 'play' | 'ladder'

export interface WaitingVideo {
  readonly id: string
  readonly ownerId: string
}

/** Selects the videos that wait for each kind of work, including those under work now. */
const waits: Record<VideoWork, SQL> = {
  play: sql`m.state = 'processing'`,
  ladder: sql`m.state = 'ready' and m.ladder_since is not null`,
}

/** A failed attempt is retried after 2, 4, 8 … seconds. */
const mayBegin: Record<VideoWork, SQL> = {
  play: sql`(m.attempts = 0 or m.begun_at is null
    or m.begun_at + make_interval(secs => 2 ^ least(m.attempts, 10)) <= now())`,
  ladder: sql`true`,
}

const begunAt: Record<VideoWork, SQL> = { play: sql`begun_at`, ladder: sql`ladder_begun_at` }

/**
 * The oldest waiting video of each person. People with the fewest videos begun in the last hour come first: one video
 * overtakes another person's twenty, and the twenty wait an hour at most behind those of newcomers.
 * @param ownerId restricts the result to this person
 */
export async function nextVideos(db: Db, work: VideoWork, ownerId?: string): Promise<WaitingVideo[]> {
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
  return (rows as { rows: WaitingVideo[] }).rows
}

/** A video that waits for the work or is under it; undefined when there is none. */
export async function anyVideo(db: Db, work: VideoWork): Promise<string | undefined> {
  const rows = await db.execute(
    sql`select m.id from media m where m.kind = 'video' and ${waits[work]} limit 1`,
  )
  return (rows as { rows: { id: string }[] }).rows[0]?.id
}

/** Videos whose smaller renditions are requested, the oldest request first. */
export async function listRequestedLadders(db: Db): Promise<string[]> {
  const rows = await db.execute(
    sql`select m.id from media m where m.kind = 'video' and ${waits.ladder} order by m.ladder_since`,
  )
  return (rows as { rows: { id: string }[] }).rows.map((it) => it.id)
}
