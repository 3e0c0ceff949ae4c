// Push subscriptions of devices: one per session, a few per person.
import { and, desc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { newId } from '#contract/ids.ts'
import type { Db } from '#server/store/database.ts'
import { pushSubscriptions } from '#server/store/tables/notifications.ts'

/** Subscribed devices of one person; beyond these the oldest subscriptions are removed. */
export const MAX_DEVICES = 10

export interface DeviceRow {
  readonly id: string
  readonly userId: string
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

const deviceColumns = {
  id: pushSubscriptions.id,
  userId: pushSubscriptions.userId,
  endpoint: pushSubscriptions.endpoint,
  p256dh: pushSubscriptions.p256dh,
  auth: pushSubscriptions.auth,
}

interface SessionOfPerson {
  readonly userId: string
  readonly sessionId: string
}

/**
 * Records a session's subscription. The same endpoint only updates its keys; another endpoint replaces the session's
 * previous one. An endpoint that another person on this device had moves to this person.
 */
export async function putDevice(
  db: Db,
  { userId, sessionId }: SessionOfPerson,
  device: Pick<DeviceRow, 'endpoint' | 'p256dh' | 'auth'>,
  now: number,
): Promise<void> {
  const { endpoint, p256dh, auth } = device
  await db.transaction(async (tx) => {
    await tx
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.sessionId, sessionId), ne(pushSubscriptions.endpoint, endpoint)))
    await tx
      .insert(pushSubscriptions)
      .values({ id: newId(), userId, sessionId, endpoint, p256dh, auth, createdAt: new Date(now) })
      .onConflictDoUpdate({
        target: pushSubscriptions.endpoint,
        set: { userId, sessionId, p256dh, auth, failures: 0, createdAt: new Date(now) },
      })
    const rest = tx
      .select({ id: pushSubscriptions.id })
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, userId))
      .orderBy(desc(pushSubscriptions.createdAt), desc(pushSubscriptions.id))
      .offset(MAX_DEVICES)
    await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, rest))
  })
}

export async function removeDeviceOfSession(db: Db, sessionId: string): Promise<void> {
  await db.delete(pushSubscriptions).where(eq(pushSubscriptions.sessionId, sessionId))
}

export async function removeDevice(db: Db, id: string): Promise<void> {
  await db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id))
}

export function listDevices(db: Db, userId: string): Promise<DeviceRow[]> {
  return db.select(deviceColumns).from(pushSubscriptions).where(eq(pushSubscriptions.userId, userId))
}

/** One device, by its own id or that of its session. */
export async function findDevice(db: Db, id: string): Promise<DeviceRow | undefined> {
  const rows = await db
    .select(deviceColumns)
    .from(pushSubscriptions)
    .where(or(eq(pushSubscriptions.id, id), eq(pushSubscriptions.sessionId, id)))
  return rows[0]
}

/** Records that the push service of a device accepted a push. */
export async function recordAccepted(db: Db, id: string, now: number): Promise<void> {
  await db
    .update(pushSubscriptions)
    .set({ deliveredAt: new Date(now), failures: 0 })
    .where(eq(pushSubscriptions.id, id))
}

/** Records that the push service of a device refused a push. @returns how many refusals in a row */
export async function recordRefused(db: Db, id: string): Promise<number> {
  const rows = await db
    .update(pushSubscriptions)
    .set({ failures: sql`${pushSubscriptions.failures} + 1` })
    .where(eq(pushSubscriptions.id, id))
    .returning({ failures: pushSubscriptions.failures })
  return rows[0]?.failures ?? 0
}
