// The operator's check of money, run on the database of a story.
import { moneyReport } from '#server/cli/money-check.ts'
import type { World } from '#server/testing/world.ts'
import type { Violation } from './invariants.ts'

/** One story of so many is checked by itself, since a check reads all of its database; and one that is repeated alone. */
const EACH = 10
const { MONEY_SEEDS: seeds, MONEY_POSTGRES_SEEDS: postgresSeeds = seeds } = process.env
const isAlone = seeds === '1' || postgresSeeds === '1'

/** What `money check` finds at the end of a story, while its memberships still run. */
export const checkStory = async (seed: number, world: World): Promise<Violation[]> =>
  isAlone || seed % EACH === 0 ? checkAlone(world) : []

/** What `money check` finds on the database of a story, and of the stories before it. */
export async function checkAlone({ deps }: World): Promise<Violation[]> {
  const { differences } = await moneyReport(deps)
  return differences.map(({ kind, id, expected, found }) => ({
    of: 'checked',
    says: `${kind} of ${id} is ${found}, not ${expected}`,
  }))
}
