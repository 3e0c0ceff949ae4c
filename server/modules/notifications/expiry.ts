// Deletes old notifications and finished broadcasts, every hour.
import type { Deps } from '#server/deps.ts'
import { removeFanOutsBefore } from '#server/store/notifications/fan-outs.ts'
import { removeOldNotifications } from '#server/store/notifications/pages.ts'

/** Notifications deleted by one statement. */
const BATCH_SIZE = 5000
/** How long the queue stores a job at most, ms. */
const FAN_OUT_MS = 30 * 24 * 3600_000

export async function expireNotifications({ db, clock }: Deps): Promise<void> {
  let removed = BATCH_SIZE
  while (removed === BATCH_SIZE) removed = await removeOldNotifications(db, clock(), BATCH_SIZE)
  await removeFanOutsBefore(db, clock() - FAN_OUT_MS)
}
