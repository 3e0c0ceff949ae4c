// Which stories, and which rows of their tables, `npm test` runs.
import { everyNth } from '#contract/testing/sample.ts'

/** Whether all stories run (`STORIES=whole`, set by `npm run test:deep -- stories`) or a sample. */
export const runsWhole = process.env['STORIES'] === 'whole'

/** Details of one story of a matrix: `npm test` runs a sample, `npm run test:deep` all stories. */
export const deepUnless = (isSample: boolean): { tag?: string } => (isSample ? {} : { tag: '@deep' })

/** Every `step`th of these rows, from the `first`th (from 0) on; all of them in a whole run. */
export const sampleOf = <T>(rows: readonly T[], step: number, first = 0): readonly T[] =>
  runsWhole ? rows : everyNth(rows, step, first)
