// Removes the copies of reported messages whose time is over, every hour.
import type { Deps } from '#server/deps.ts'
import { removeCopiesBefore } from '#server/store/messages/reported.ts'

const DAY = 24 * 3600_000
/** How long copies are stored after the decision: for objections to it, and for authorities. */
const AFTER_DECISION_MS = 90 * DAY
/** How long they are stored at most. */
const AFTER_REPORT_MS = 365 * DAY

export async function removeReportedMessages({ db, clock }: Deps): Promise<void> {
  const now = clock()
  await removeCopiesBefore(db, { decided: now - AFTER_DECISION_MS, sent: now - AFTER_REPORT_MS })
}
