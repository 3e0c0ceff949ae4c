// Tests that the stories of the upload queue detect planted faults.
import { expect, test } from 'vitest'
import { plantedFaults } from './planted.ts'
import { plantedCode } from './planted-code.ts'
import { runStory } from './story.ts'

const MAX_SEEDS = Number(process.env['PLANTED_SEEDS'] ?? 300)

test.each(Object.entries({ ...plantedFaults, ...plantedCode }))(
  'the stories detect a planted fault: %s',
  async (_name, { faults, caught, seed: first = 1 }) => {
    const detected: string[] = []
    const seeds = [first, ...Array.from({ length: MAX_SEEDS }, (_, n) => n + 1)]
    for (const seed of seeds) {
      detected.push(...(await runStory(seed, faults)).filter((violation) => caught.test(violation)))
      if (detected.length > 0) break
    }
    expect(detected).not.toEqual([])
  },
)
