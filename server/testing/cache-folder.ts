// Where tests keep files that later runs use again.
import { tmpdir } from 'node:os'

/** The temporary folder without a run, outside the folder of the run, which is removed; a run in memory has none. */
export const cacheFolder = (): string => process.env['TODOKE_CACHES'] ?? tmpdir()
