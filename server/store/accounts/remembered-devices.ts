// Browsers on which an account was signed in, by the id of their device cookie.
import { and, desc, eq, inArray, lt, ne } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { rememberedDevices } from '#server/store/tables/devices.ts'
import { users } from '#server/store/tables/people.ts'

/** Remembered devices of one account; beyond these the longest unused are deleted. */
const MAX_DEVICES = 50

export async function rememberDevice(db: Db, userId: string, deviceId: string, now: number): Promise<void> {
  const seenAt = new Date(now)
  await db
    .insert(rememberedDevices)
    .values({ userId, deviceId, seenAt })
    .onConflictDoUpdate({
      target: [rememberedDevices.userId, rememberedDevices.deviceId],
      set: { seenAt },
    })
  const beyond = db
    .select({ deviceId: rememberedDevices.deviceId })
    .from(rememberedDevices)
    .where(eq(rememberedDevices.userId, userId))
    .orderBy(desc(rememberedDevices.seenAt), desc(rememberedDevices.deviceId))
    .offset(MAX_DEVICES)
  await db
    .delete(rememberedDevices)
    .where(and(eq(rememberedDevices.userId, userId), inArray(rememberedDevices.deviceId, beyond)))
}

/** Whether the account with this address remembers a device; runs the same query where there is no account. */
export async function isRemembered(db: Db, email: string, deviceId: string): Promise<boolean> {
  const rows = await db
    .select({ deviceId: rememberedDevices.deviceId })
    .from(rememberedDevices)
    .innerJoin(users, eq(users.id, rememberedDevices.userId))
    .where(and(eq(users.email, email), eq(rememberedDevices.deviceId, deviceId)))
  return rows.length > 0
}

/** Removes some, all, or all but one of an account's remembered devices. */
export async function removeRememberedDevices(
  db: Db,
  userId: string,
  which: { readonly only: readonly string[] } | { readonly except: string | null },
): Promise<void> {
  const theirs = eq(rememberedDevices.userId, userId)
  if ('only' in which) {
    await db
      .delete(rememberedDevices)
      .where(and(theirs, inArray(rememberedDevices.deviceId, [...which.only])))
    return
  }
  const others = which.except === null ? theirs : and(theirs, ne(rememberedDevices.deviceId, which.except))
  await db.delete(rememberedDevices).where(others)
}

export async function removeRememberedDevicesBefore(db: Db, then: number): Promise<void> {
  await db.delete(rememberedDevices).where(lt(rememberedDevices.seenAt, new Date(then)))
}
