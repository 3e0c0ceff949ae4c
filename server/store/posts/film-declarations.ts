// Declarations about age-limited films, and posts that lack one.
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { filmDeclarations, postMedia } from '#server/store/tables/posts.ts'

/** Stores what the author declared of a post's film. The first declaration stays. */
export async function addDeclaration(tx: Db, postId: string, version: number, now: number): Promise<void> {
  await tx
    .insert(filmDeclarations)
    .values({ postId, version, declaredAt: new Date(now) })
    .onConflictDoNothing()
}

/** Whether a post is an age-limited film for plans or a price, about which its author has declared nothing. */
export async function lacksDeclaration(db: Db, postId: string): Promise<boolean> {
  const { rows } = (await db.execute(sql`select 1 from posts p
    where p.id = ${postId}::uuid and p.type <> 1 and p.is_age_limited
      and exists (select 1 from post_media m where m.post_id = p.id and m.role = 'video')
      and not exists (select 1 from film_declarations d where d.post_id = p.id)`)) as { rows: unknown[] }
  return rows.length > 0
}

/** Whether a post has a video. */
export async function hasFilm(db: Db, postId: string): Promise<boolean> {
  const films = and(eq(postMedia.postId, postId), eq(postMedia.role, 'video'))
  return (await db.$count(postMedia, films)) > 0
}
