// The hourly clearing of notifications that have had their time.
import type { Deps } from '#server/deps.ts'
import { forgetFanOuts } from '#server/store/notifications/fan-outs.ts'
import { removeOldLines } from '#server/store/notifications/pages.ts'

/** Lines removed by one statement. */
const STRETCH = 5000
/** The queue stores a job no longer than this, ms. */
const FAN_OUT_MS = 30 * 24 * 3600_000

export async function forgetOldNotifications({ db, clock }: Deps): Promise<void> {
  let removed = STRETCH
  while (removed === STRETCH) removed = await removeOldLines(db, clock(), STRETCH)
  await forgetFanOuts(db, clock() - FAN_OUT_MS)
}
