// What `money check` finds on the database of a test.
import { moneyReport } from '#server/cli/money-check.ts'
import type { World } from '#server/testing/world.ts'

export const differencesIn = async ({ deps }: World) => (await moneyReport(deps)).differences
