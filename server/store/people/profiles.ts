// Profiles of people, and pictures that are to be processed.
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { media, userPictures } from '#server/store/tables/media.ts'
import { users } from '#server/store/tables/people.ts'

export interface Profile {
  readonly name: string
  readonly handle: string | null
  readonly bio: string
  readonly links: readonly string[]
}

export async function handleOwner(db: Db, handle: string): Promise<string | undefined> {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.handle, handle))
  return rows[0]?.id
}

/**
 * UNIQUE (handle) decides between simultaneous requests.
 * @returns false when another account has it
 */
export async function setProfile(db: Db, userId: string, profile: Profile): Promise<boolean> {
  try {
    // A statement that fails would end a transaction around it: this one has a savepoint of its own.
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

/** The one that is shown, and the one that waits to take its place. */
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

/** Lets a picture wait to take the place of the one shown. @returns the one that waited before it */
export async function setNextPicture(
  tx: Db,
  userId: string,
  role: PictureRole,
  mediaId: string,
): Promise<string | undefined> {
  const next = `${role}_next` as const
  const before = await takePictures(tx, userId, [next])
  await tx.insert(userPictures).values({ userId, role: next, mediaId })
  return before[0]
}

/** Takes pictures away from a person. @returns what they were */
export async function takePictures(
  tx: Db,
  userId: string,
  roles: readonly (PictureRole | `${PictureRole}_next`)[],
): Promise<string[]> {
  const gone = await tx
    .delete(userPictures)
    .where(and(eq(userPictures.userId, userId), inArray(userPictures.role, [...roles])))
    .returning({ id: userPictures.mediaId })
  return gone.map((row) => row.id)
}

/** A picture was made: if it waited for a place, it takes it. @returns the one that stood there before */
export async function placeMadePicture(tx: Db, mediaId: string): Promise<string | undefined> {
  const waiting = await tx
    .select({ userId: userPictures.userId, role: userPictures.role })
    .from(userPictures)
    .where(and(eq(userPictures.mediaId, mediaId), sql`${userPictures.role} like '%_next'`))
    .for('update')
  if (!waiting[0]) return undefined
  const { userId } = waiting[0]
  const role = waiting[0].role === 'avatar_next' ? 'avatar' : 'cover'
  const before = await takePictures(tx, userId, [role])
  await tx
    .update(userPictures)
    .set({ role })
    .where(and(eq(userPictures.userId, userId), eq(userPictures.mediaId, mediaId)))
  return before[0]
}
