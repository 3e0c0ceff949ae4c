// How much of a long table of cases the unit tests run.
import { everyNth } from '#contract/testing/sample.ts'

/** Whether the unit tests run whole (`UNITS=whole`, set by `npm run test:deep -- units`) or a sample. */
export const runsWhole = process.env['UNITS'] === 'whole'

/** Every `step`th of these cases, from the `first`th (from 0) on; all of them in a whole run. */
export const sampleOf = <T>(cases: readonly T[], step: number, first = 0): readonly T[] =>
  runsWhole ? cases : everyNth(cases, step, first)
