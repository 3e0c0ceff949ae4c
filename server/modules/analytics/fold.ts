// Replaces readings by sums once their day has been over for 24 hours.
import type { Deps } from '#server/deps.ts'
import { lastShownDay } from '#server/rules/analytics.ts'
import { foldReadings } from '#server/store/analytics/readings.ts'

/** Safe to interrupt and repeat: a day is summed and its readings are deleted in one transaction. */
export const foldDueReadings = ({ clock, transaction }: Deps): Promise<void> =>
  transaction(({ tx }) => foldReadings(tx, lastShownDay(clock())))
