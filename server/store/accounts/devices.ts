// Devices an account was used on.
import { and, count, eq, lt } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { knownDevices } from '#server/store/tables/devices.ts'

/** A device among a person's: the `first` one causes no email, a `new` one beside others does. */
export type Familiarity = 'first' | 'new' | 'known'

/** Records a device's use and returns whether it was known. Of two simultaneous sign-ins one reports a new device. */
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
