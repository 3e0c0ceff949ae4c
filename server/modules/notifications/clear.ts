// The hourly clearing of notifications that have had their time.
import type { Deps } from '#server/deps.ts'
import { removeFanOutsBefore } from '#server/store/notifications/fan-outs.ts'
import { removeOldNotifications } from '#server/store/notifications/pages.ts'

/** Lines removed by one statement. */
const STRETCH = 5000
/** The queue stores a job no longer than this, ms. */
const FAN_OUT_MS = 30 * 24 * 3600_000

export async function forgetOldNotifications({ db, clock }: Deps): Promise<void> {
  let removed = STRETCH
  while (removed === STRETCH) removed = await removeOldNotifications(db, clock(), STRETCH)
  await removeFanOutsBefore(db, clock() - FAN_OUT_MS)
}
