// Devices on which an account was used, by name.
import { and, count, eq, lt } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { knownDevices } from '#server/store/tables/devices.ts'

/** How a device relates to a person's others: a `first` one causes no email, a `new` one besides others does. */
export type Familiarity = 'first' | 'new' | 'known'

/** Records a device's use. Of two simultaneous sign-ins only one returns `new`. */
export async function recordDevice(
  db: Db,
  userId: string,
  device: string,
  now: number,
): Promise<Familiarity> {
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

/** Removes devices not used since a moment; their next use is that of a new device. */
export async function removeDevicesBefore(db: Db, then: number): Promise<void> {
  await db.delete(knownDevices).where(lt(knownDevices.seenAt, new Date(then)))
}
