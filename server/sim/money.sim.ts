// Seeded histories of payments with the real server modules, lost notices and killed servers.
import { beforeAll, describe, expect, test } from 'vitest'
import { balances } from '#server/store/payments/ledger.ts'
import { bothDatabases, type DatabaseKind } from '#server/testing/world.ts'
import type { Invariant } from './invariants.ts'
import { runStory } from './run.ts'
import { openServers, type Servers } from './servers.ts'

/** Stories on PGlite, and those of them that run on PostgreSQL too. */
const SEEDS = Number(process.env['MONEY_SEEDS'] ?? 20)
const POSTGRES_SEEDS = Number(process.env['MONEY_POSTGRES_SEEDS'] ?? SEEDS)
const FIRST = Number(process.env['SEED'] ?? 1)
/** A story on a full database takes longer, so a new one is opened after so many. */
const PER_DATABASE = 500
const HOURS = 24 * 3600_000

const invariants: readonly (readonly [Invariant, string])[] = [
  ['ledger', 'each charge has its entries, and each entry the lines of its event'],
  ['access', 'no post is open without a true charge that paid for it'],
  ['double', 'no post is sold twice to a person without a refund between'],
  ['refunded', 'a refunded purchase is closed'],
  ['sold', 'a charge for a post that can be sold opens it, exactly once'],
  ['state', 'a payment is paid or refunded exactly as its sale is'],
  ['price', 'a payment has the price that the post had when it was begun'],
  ['true', 'each recorded charge is one that the provider made'],
  ['stored', 'a notice that was answered with 200 is handled without another one'],
  ['settled', 'in the end each charge is a sale, or its money was returned once'],
]

interface Result {
  readonly found: Map<Invariant, string[]>
  /** Sums of the whole ledger that differ from the stories, at the end of each database. */
  readonly totals: string[]
  charges: number
}

async function totalsOf({ steady }: Servers, payable: number): Promise<string[]> {
  const sums = await balances(steady.deps.db)
  const total = [...sums.values()].reduce((sum, it) => sum + it, 0)
  const checks: readonly (readonly [string, number, number])[] = [
    ['all accounts', total, 0],
    ['refunds', sums.get('refunds') ?? 0, 0],
    ['creator_payable', sums.get('creator_payable') ?? 0, -payable],
  ]
  return checks.flatMap(([name, is, must]) => (is === must ? [] : [`${name}: ${is}, not ${must}`]))
}

/** Runs the stories, on one database after the other. */
async function runAll(kind: DatabaseKind, seeds: number): Promise<Result> {
  const result: Result = { found: new Map(), totals: [], charges: 0 }
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  for (let from = FIRST; from < FIRST + seeds; from += PER_DATABASE) {
    const servers = await openServers(kind)
    let payable = 0
    for (let seed = from; seed < Math.min(from + PER_DATABASE, FIRST + seeds); seed++) {
      const outcome = await runStory(seed, servers)
      payable += outcome.payable
      result.charges += outcome.charges
      for (const { of, says } of outcome.violations) {
        const known = result.found.get(of) ?? []
        if (known.length < 5) result.found.set(of, [...known, `SEED=${seed} MONEY_SEEDS=1: ${says}`])
      }
    }
    if (result.found.size === 0) result.totals.push(...(await totalsOf(servers, payable)))
    await servers.close()
  }
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const rates = [seconds, (user + system) / 1e6].map((it) => (seeds / it).toFixed(1))
  console.log(
    `${kind}: ${seeds} stories, ${result.charges} charges; ${rates[0]} stories/s, ${rates[1]} for a second of processor time`,
  )
  return result
}

const runs = bothDatabases.map(({ kind, available }) => {
  const seeds = kind === 'pglite' ? SEEDS : POSTGRES_SEEDS
  return { kind, available: available && seeds > 0, seeds }
})

describe.each(runs)('in $seeds stories on $kind', ({ kind, available, seeds }) => {
  let result: Result
  beforeAll(async () => {
    if (available) result = await runAll(kind, seeds)
  }, HOURS)

  test.skipIf(!available).each(invariants)('%s: %s', (key) => {
    expect(result.found.get(key) ?? []).toEqual([])
  })

  test.skipIf(!available)('the whole ledger adds up to zero and owes creators exactly their shares', () => {
    expect(result.totals).toEqual([])
    expect(result.charges).toBeGreaterThan(0)
  })
})
