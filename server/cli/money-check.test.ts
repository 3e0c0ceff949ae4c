// The check of money: a sound database has no difference, a planted one its line.
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { moneyHistory } from '#server/testing/payments/money-history.ts'
import { plantedAmounts, plantedDifferences } from '#server/testing/payments/planted-differences.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { runCommand } from './commands.ts'
import { moneyReport } from './money-check.ts'

async function run({ deps }: World, ...args: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = []
  const code = await runCommand(['money', 'check', ...args], { deps, print: (line) => void lines.push(line) })
  return { code, lines }
}

/** Kinds of what is found after a change, which is rolled back. */
async function kindsIn(world: World, statement: string): Promise<string[]> {
  const { deps } = world
  const rolledBack = new Error('rolled back')
  let kinds: string[] = []
  await deps.db
    .transaction(async (tx) => {
      await tx.execute(sql.raw('set local session_replication_role = replica'))
      await tx.execute(sql.raw(statement))
      const { differences } = await reportIn(world, tx)
      kinds = differences.map((it) => it.kind)
      throw rolledBack
    })
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error
    })
  return kinds
}
const reportIn = (world: World, db: World['deps']['db']) => {
  const nested = { transaction: (work: (tx: typeof db) => unknown) => work(db) } as unknown as typeof db
  return moneyReport({ ...world.deps, db: nested })
}

describe.each(databases)('money check on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('after sales, refunds, disputes, gifts and payouts', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      await moneyHistory(world)
    })
    afterAll(() => world.close())

    const kindsAfter = (statement: string) => kindsIn(world, statement)

    test('ends with 0 and prints what it has looked at', async () => {
      const { code, lines } = await run(world)
      expect([code, lines]).toEqual([
        0,
        [expect.stringMatching(/^8 charges, \d\d entries, \d+ rights: no difference$/)],
      ])
    })

    test('ends with 1 and prints a line with kind, id, expected and found', async () => {
      const { rows } = await world.database.executeSql(
        `update payments set refunded_amount = 1233 where refunded_amount = 1234 returning id`,
      )
      const { id } = defined(rows[0]) as { id: string }
      const { code, lines } = await run(world)
      expect([code, lines]).toEqual([
        1,
        [
          `payment.refunded_amount ${id} expected: 1234 found: 1233`,
          expect.stringMatching(/rights: 1 differences$/),
        ],
      ])
      await world.database.executeSql(`update payments set refunded_amount = 1234 where id = $1`, [id])
      expect((await run(world)).code).toBe(0)
    })

    test('ends with 2 for parameters', async () => {
      expect((await run(world, '--mend')).code).toBe(2)
    })

    test.each(plantedDifferences)('finds %s: %s', async (expected, _, statement) => {
      expect(await kindsAfter(statement)).toContain(expected)
    })

    test.each(plantedAmounts)('finds %s whose amount is not in the ledger', async (expected, statement) => {
      expect(await kindsAfter(statement)).toContain(expected)
    })

    test('lets a member of staff decide about own money while there is no other', async () => {
      const statement = 'update complimentary_memberships set actor_id = creator_id'
      const alone = `with staff as (update users set role = 'member' where role <> 'member') ${statement}`
      for (const [it, kinds] of [
        [statement, ['actor.complimentary']],
        [alone, []],
      ] as const)
        expect((await kindsAfter(it)).filter((found) => found === 'actor.complimentary')).toEqual(kinds)
    })
  })
})
