// Profiles of people: names and texts, and pictures that wait for their conversion.
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { ProfileChange } from '#contract/people/people.ts'
import type { Db } from '#server/store/database.ts'
import { media, userPictures } from '#server/store/tables/media.ts'
import { users } from '#server/store/tables/people.ts'

/** What a person changes about their account: each field of the request, with null for no handle. */
export type Profile = Omit<ProfileChange, 'handle'> & { readonly handle: string | null }

/** A field without a column would be accepted and not stored: the type is then `never`. */
type Stored<P> = Exclude<keyof P, keyof typeof users.$inferInsert> extends never ? P : never

export async function handleOwner(db: Db, handle: string): Promise<string | undefined> {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.handle, handle))
  return rows[0]?.id
}

/**
 * Saves a profile. UNIQUE (handle) decides between simultaneous requests.
 * @returns false when another account has the handle
 */
export async function setProfile(db: Db, userId: string, profile: Stored<Profile>): Promise<boolean> {
  try {
    // A failed statement would abort the surrounding transaction: this one has its own savepoint.
    await db.transaction((tx) => tx.update(users).set(profile).where(eq(users.id, userId)))
    return true
  } catch (error) {
    if (isTaken(error)) return false
    throw error
  }
}

function isTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown }
  return (code === '23505' && constraint === 'users_handle') || isTaken(error.cause)
}

export type PictureRole = 'avatar' | 'cover'

/** The picture that is shown, and the state of the one that will replace it. */
export interface PictureState {
  readonly shown: string | null
  readonly next: 'none' | 'making' | 'failed'
}

export async function pictureStates(db: Db, userId: string): Promise<Record<PictureRole, PictureState>> {
  const rows = await db
    .select({ role: userPictures.role, id: userPictures.mediaId, state: media.state })
    .from(userPictures)
    .innerJoin(media, eq(media.id, userPictures.mediaId))
    .where(eq(userPictures.userId, userId))
  const of = (role: PictureRole): PictureState => {
    const next = rows.find((row) => row.role === `${role}_next`)
    return {
      shown: rows.find((row) => row.role === role)?.id ?? null,
      next: next ? (next.state === 'failed' ? 'failed' : 'making') : 'none',
    }
  }
  return { avatar: of('avatar'), cover: of('cover') }
}

/** Sets the picture that will replace the shown one. @returns the waiting picture that it replaces */
export async function setNextPicture(
  tx: Db,
  userId: string,
  role: PictureRole,
  mediaId: string,
): Promise<string | undefined> {
  const next = `${role}_next` as const
  const before = await removePictures(tx, userId, [next])
  await tx.insert(userPictures).values({ userId, role: next, mediaId })
  return before[0]
}

/** Removes pictures from a person. @returns their media ids */
export async function removePictures(
  tx: Db,
  userId: string,
  roles: readonly (PictureRole | `${PictureRole}_next`)[],
): Promise<string[]> {
  const removed = await tx
    .delete(userPictures)
    .where(and(eq(userPictures.userId, userId), inArray(userPictures.role, [...roles])))
    .returning({ id: userPictures.mediaId })
  return removed.map((row) => row.id)
}

/** Shows a converted picture if it was waiting. @returns the picture that was shown before */
export async function placeMadePicture(tx: Db, mediaId: string): Promise<string | undefined> {
  const waiting = await tx
    .select({ userId: userPictures.userId, role: userPictures.role })
    .from(userPictures)
    .where(and(eq(userPictures.mediaId, mediaId), sql`${userPictures.role} like '%_next'`))
    .for('update')
  if (!waiting[0]) return undefined
  const { userId } = waiting[0]
  const role = waiting[0].role === 'avatar_next' ? 'avatar' : 'cover'
  const before = await removePictures(tx, userId, [role])
  await tx
    .update(userPictures)
    .set({ role })
    .where(and(eq(userPictures.userId, userId), eq(userPictures.mediaId, mediaId)))
  return before[0]
}
