// Readings of posts, and their sums once a day has been over for 24 hours.
import { eq, type SQL, sql } from 'drizzle-orm'
import { MIN_READERS } from '#contract/analytics/analytics.ts'
import type { Db } from '#server/store/database.ts'
import { postReadings } from '#server/store/tables/analytics.ts'

export type Reading = typeof postReadings.$inferSelect

/** Adds a reading; the second one of a person, post, day and kind changes nothing. */
export async function addReading(tx: Db, reading: Reading): Promise<void> {
  await tx.insert(postReadings).values(reading).onConflictDoNothing()
}

/** The stored form of a number of readers: 1 for 1 to 4. */
function readers(kind: Reading['kind']): SQL {
  const n = sql`count(*) filter (where kind = ${sql.raw(`'${kind}'`)})`
  return sql`case when ${n} between 1 and ${sql.raw(String(MIN_READERS - 1))} then 1 else ${n} end`
}

/**
 * Replaces the readings up to a day by their sums, so that who has read what is not stored any longer.
 * @param last the last day that has been over for 24 hours, `YYYY-MM-DD` in Asia/Tokyo
 */
export async function foldReadings(tx: Db, last: string): Promise<void> {
  // In one order, and before the readings, as a deletion of posts locks them.
  await tx.execute(sql`
    select id from posts where id in (select post_id from post_readings where day <= ${last}::date)
    order by id for key share`)
  await tx.execute(sql`
    with over as (delete from post_readings where day <= ${last}::date returning post_id, day, kind)
    insert into post_days (post_id, day, views, gates, watched)
    select post_id, day, ${readers('view')}, ${readers('gate')}, ${readers('watched')}
    from over group by post_id, day
    on conflict do nothing`)
}

/** The readings of a person that are still stored. */
export function ownReadings(db: Db, userId: string): Promise<Omit<Reading, 'userId'>[]> {
  return db
    .select({ postId: postReadings.postId, day: postReadings.day, kind: postReadings.kind })
    .from(postReadings)
    .where(eq(postReadings.userId, userId))
    .orderBy(postReadings.day, postReadings.postId)
}
