// Compares primary and replicas every second.
import type { Replica } from './replica.ts'
import { lagOf, type PrimaryFacts, type Standing, standingOf } from './standing.ts'
import { type Query, readPrimary } from './statements.ts'

/** How often primary and replicas are compared, ms. */
export const CHECK_EVERY = 1000
/** A comparison older than this counts for nothing, ms: the primary does not reply, or this process was stopped. */
const FRESH = 5000
/** Positions of the primary that lags are measured by: those of a minute. */
const POSITIONS = 60

export interface MonitorPorts {
  readonly primary: Query
  /** Time of the newest migration that this server needs, ms since 1970. */
  readonly migration: number
  /** Milliseconds that go on by themselves. */
  readonly clock?: () => number
}

export interface Monitor {
  /** Id of the primary's cluster; undefined until the primary has replied. */
  cluster(): string | undefined
  standing(replica: Replica): Standing
  end(): void
}

/** @param maxLag of a replica that is used, ms */
export function openMonitor(
  replicas: readonly Replica[],
  { primary, migration, clock = () => performance.now() }: MonitorPorts,
  maxLag: number,
): Monitor {
  const seen: PrimaryFacts[] = []
  const bounds = { lag: maxLag, migration }

  async function compare(replica: Replica, facts: PrimaryFacts): Promise<void> {
    try {
      const found = await replica.facts()
      replica.replayed = found.replayed ?? 0n
      replica.lag = lagOf(seen, replica.replayed, clock())
      replica.standing = standingOf(facts, found, replica.lag, bounds)
    } catch {
      replica.standing = 'unreachable'
    }
  }

  const end = everySecond(async () => {
    const facts = await readPrimary(primary, clock())
    // Positions of another history compare with none of this one.
    if (seen.at(-1)?.timeline !== facts.timeline) seen.length = 0
    seen.push(facts)
    if (seen.length > POSITIONS) seen.shift()
    await Promise.all(replicas.map((it) => compare(it, facts)))
  })
  const isFresh = () => clock() - (seen.at(-1)?.at ?? -Infinity) <= FRESH
  return {
    cluster: () => seen.at(-1)?.cluster,
    standing: (it) => (isFresh() ? it.standing : 'unknown'),
    end,
  }
}

/** Runs work now, and again a second after each end of it. @returns a function that ends this */
function everySecond(work: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  let isEnded = false
  const run = async () => {
    // A primary that does not reply makes the last comparison too old by itself.
    await work().catch(() => undefined)
    if (!isEnded) timer = setTimeout(() => void run(), CHECK_EVERY).unref()
  }
  void run()
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}
