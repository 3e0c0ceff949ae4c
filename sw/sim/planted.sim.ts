// Tests that the stories of the upload queue detect planted faults.
import { expect, test } from 'vitest'
import { plantedFaults } from './planted.ts'
import { plantedCode } from './planted-code.ts'
import { runStory } from './story.ts'

const MAX_SEEDS = Number(process.env['PLANTED_SEEDS'] ?? 300)

test.each(Object.entries({ ...plantedFaults, ...plantedCode }))(
  'the stories detect a planted fault: %s',
  async (_name, { faults, caught }) => {
    const detected: string[] = []
    for (let seed = 1; seed <= MAX_SEEDS && detected.length === 0; seed++)
      detected.push(...(await runStory(seed, faults)).filter((violation) => caught.test(violation)))
    expect(detected).not.toEqual([])
  },
)
