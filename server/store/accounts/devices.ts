// Devices an account was used on.
import { and, count, eq, lt } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { knownDevices } from '#server/store/tables/devices.ts'

/** How a device stands among a person's: the `first` one is nothing to be told of, a `new` one beside others is. */
export type Familiarity = 'first' | 'new' | 'known'

/** Notes a device's use and says whether it was known. Two sign-ins at one moment hear of a new device once. */
export async function noteDevice(db: Db, userId: string, device: string, now: number): Promise<Familiarity> {
  const seenAt = new Date(now)
  const added = await db
    .insert(knownDevices)
    .values({ userId, device, seenAt })
    .onConflictDoNothing()
    .returning({ device: knownDevices.device })
  if (added.length === 0) {
    await db
      .update(knownDevices)
      .set({ seenAt })
      .where(and(eq(knownDevices.userId, userId), eq(knownDevices.device, device)))
    return 'known'
  }
  const rows = await db.select({ n: count() }).from(knownDevices).where(eq(knownDevices.userId, userId))
  return Number(rows[0]?.n ?? 0) > 1 ? 'new' : 'first'
}

/** A device not used since then is a new one when it comes back. */
export async function forgetDevicesBefore(db: Db, then: number): Promise<void> {
  await db.delete(knownDevices).where(lt(knownDevices.seenAt, new Date(then)))
}
