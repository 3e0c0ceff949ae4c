// Converts a sample of the fuzzed files of `npm run test:deep` in sandboxed processes.
import { describe, expect, test } from 'vitest'
import { fuzz } from '#server/testing/media/fuzz.ts'
import { fuzzSeeds } from '#server/testing/media/fuzz-seeds.ts'
import { isInstalled } from '#server/testing/programs.ts'
import { runsWhole } from '#server/testing/sample.ts'

const COUNT = runsWhole ? 40 : 6
const VIDEOS = runsWhole ? 4 : 1
/** Each file is encoded for some seconds on a slow machine, ms. */
const TIMEOUT = 480_000

describe.skipIf(!isInstalled('bwrap'))('fuzzed files', () => {
  test(
    'crash no server, and show no byte of another file',
    async () => {
      const seeds = await fuzzSeeds()
      expect(seeds.size).toBeGreaterThanOrEqual(20)
      for (const [mime, seed] of seeds) {
        const count = mime.startsWith('image/') ? COUNT : VIDEOS
        const seen = await fuzz({ mime, seed, from: 1, count })
        expect({ mime, files: seen.files, leaks: seen.leaks }).toEqual({ mime, files: count, leaks: 0 })
        expect(seen.made + seen.refused + seen.died + seen.late).toBe(count)
      }
    },
    TIMEOUT,
  )
})
