// Proves that the stories of the upload queue detect planted faults.
import { expect, test } from 'vitest'
import { plantedFaults } from './planted.ts'
import { plantedCode } from './planted-code.ts'
import { runStory } from './story.ts'

const MOST = Number(process.env['PLANTED_SEEDS'] ?? 300)

test.each(Object.entries({ ...plantedFaults, ...plantedCode }))(
  'a planted fault is noticed: %s',
  async (_name, { faults, caught }) => {
    const noticed: string[] = []
    for (let seed = 1; seed <= MOST && noticed.length === 0; seed++)
      noticed.push(...(await runStory(seed, faults)).filter((violation) => caught.test(violation)))
    expect(noticed).not.toEqual([])
  },
)
