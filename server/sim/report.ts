// Runs stories of one kind on both databases, and reports each invariant as a test.
import { beforeAll, describe, expect, test } from 'vitest'
import { sweepSales } from '#server/modules/sales/closing.ts'
import { balances } from '#server/store/payments/ledger.ts'
import { bothDatabases, type DatabaseKind, type World } from '#server/testing/world.ts'
import { checkAlone } from './checked.ts'
import type { Invariant } from './invariants.ts'
import type { Outcome } from './run.ts'
import { openServers, type Servers } from './servers.ts'

/** Stories of each kind on PGlite, and on PostgreSQL, which is several times faster. */
const SEEDS = process.env['MONEY_SEEDS']
const POSTGRES_SEEDS = process.env['MONEY_POSTGRES_SEEDS'] ?? SEEDS
const FIRST = Number(process.env['SEED'] ?? 1)
/** A story on a full database takes longer, so a new one is opened after so many. */
const PER_DATABASE = 500

interface StoryOptions {
  /** Stories of one database. */
  readonly perDatabase?: number
  /** Stories of each kind in `npm test`. */
  readonly sample?: Readonly<Record<DatabaseKind, number>>
}
const HOURS = 24 * 3600_000
const DAY = 24 * 3600_000

type RunStory = (seed: number, servers: Servers) => Promise<Outcome>

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
  const wrong = checks.flatMap(([name, is, must]) => (is === must ? [] : [`${name}: ${is}, not ${must}`]))
  return [...wrong, ...(await closedTotalsOf(steady))]
}

const closed = `select (select count(*)::int from ledger_days) as days, (select count(*)::int from statements) as statements`

/** Closes all days, and compares their sums, the statements and all else about money with the lines of the ledger. */
async function closedTotalsOf(world: World): Promise<string[]> {
  const { deps, clock, database } = world
  clock.now += 62 * DAY
  await sweepSales(deps)
  const [row] = (await database.executeSql(closed)).rows as Record<'days' | 'statements', number>[]
  const isClosed = row !== undefined && row.days > 0 && row.statements > 0
  const found = (await checkAlone(world)).map((it) => it.says)
  return [...(isClosed ? [] : [`closed days: ${JSON.stringify(row)}`]), ...found.slice(0, 5)]
}

/** A story in which a server failed without being killed. */
function failed(seed: number, error: unknown, { totals }: Result): Outcome {
  const says = error instanceof Error ? (error.stack ?? error.message) : String(error)
  if (totals.length < 5) totals.push(`SEED=${seed} MONEY_SEEDS=1: ${says}`)
  return { violations: [], payable: 0, charges: 0 }
}

/** Runs the stories, on one database after the other. */
async function runAll(
  kind: DatabaseKind,
  seeds: number,
  runStory: RunStory,
  { perDatabase = PER_DATABASE }: StoryOptions,
): Promise<Result> {
  const result: Result = { found: new Map(), totals: [], charges: 0 }
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  for (let from = FIRST; from < FIRST + seeds; from += perDatabase) {
    const servers = await openServers(kind)
    let payable = 0
    for (let seed = from; seed < Math.min(from + perDatabase, FIRST + seeds); seed++) {
      const outcome = await runStory(seed, servers).catch((error: unknown) => failed(seed, error, result))
      payable += outcome.payable
      result.charges += outcome.charges
      for (const { of, says } of outcome.violations) {
        const known = result.found.get(of) ?? []
        if (known.length < 5) result.found.set(of, [...known, `SEED=${seed} MONEY_SEEDS=1: ${says}`])
      }
    }
    if (result.found.size === 0 && result.totals.length === 0)
      result.totals.push(...(await totalsOf(servers, payable)))
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

const runsOf = (sample: Readonly<Record<DatabaseKind, number>>) =>
  bothDatabases.map(({ kind, available }) => {
    const seeds = Number((kind === 'pglite' ? SEEDS : POSTGRES_SEEDS) ?? sample[kind])
    return { kind, available: available && seeds > 0, seeds }
  })

/** Declares the tests of one kind of stories: one for each invariant, and one for the whole ledger. */
export function describeStories(
  invariants: readonly (readonly [Invariant, string])[],
  runStory: RunStory,
  options: StoryOptions = {},
): void {
  const { sample = { pglite: 10, postgres: 20 } } = options
  describe.each(runsOf(sample))('in $seeds stories on $kind', ({ kind, available, seeds }) => {
    let result: Result
    beforeAll(async () => {
      if (available) result = await runAll(kind, seeds, runStory, options)
    }, HOURS)

    test.skipIf(!available).each(invariants)('%s: %s', (key) => {
      expect(result.found.get(key) ?? []).toEqual([])
    })

    test.skipIf(!available)('the whole ledger adds up to zero and owes creators exactly their shares', () => {
      expect(result.totals).toEqual([])
      expect(result.charges).toBeGreaterThan(0)
    })
  })
}
