// Browsers that an account was signed in on, by the id of their device cookie.
import { and, desc, eq, inArray, lt, ne } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { rememberedDevices } from '#server/store/tables/devices.ts'
import { users } from '#server/store/tables/people.ts'

/** Devices remembered of one account; the ones longest unused go first. */
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

/** Whether the account with this address remembers a device: the same query for an address without an account. */
export async function isRemembered(db: Db, email: string, deviceId: string): Promise<boolean> {
  const rows = await db
    .select({ deviceId: rememberedDevices.deviceId })
    .from(rememberedDevices)
    .innerJoin(users, eq(users.id, rememberedDevices.userId))
    .where(and(eq(users.email, email), eq(rememberedDevices.deviceId, deviceId)))
  return rows.length > 0
}

/** Removes the devices of an account, or one that was ended from another device. */
export async function forgetDevices(
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

export async function forgetDevicesUnusedSince(db: Db, then: number): Promise<void> {
  await db.delete(rememberedDevices).where(lt(rememberedDevices.seenAt, new Date(then)))
}
