// Breaks connections to the database that lead to another server, or to none.
// A machine that vanishes closes no connection: statements on it would wait for minutes, also after a failover.
import { setTimeout as pause } from 'node:timers/promises'
import type { Connections } from './connections.ts'
import { type Found, findServer, type Search } from './search.ts'

/** Times of a watch, ms. */
export interface WatchTimes {
  /** Pause after a new connection has had a reply. */
  readonly every: number
  /** Pause after one without a reply. */
  readonly again: number
  /** Longest time of a new connection and its statement. */
  readonly limit: number
  /** Silence of every connection, new ones included, after which all are broken. */
  readonly silence: number
}

/** A request waits for at most twelve seconds: a pause, and two searches with the pause between them. */
export const watchTimes: WatchTimes = { every: 3000, again: 1000, limit: 4000, silence: 8000 }

/** Why connections were broken. `moved`: another server is behind the address. `silent`: no server replied on any. */
export type Broken = 'moved' | 'silent'

export interface PrimaryWatch {
  /** How often connections were broken, by reason. */
  readonly breaks: Readonly<Record<Broken, number>>
  end(): Promise<void>
}

export interface WatchOptions {
  readonly url: string
  readonly connections: Connections
  readonly report: (why: Broken) => void
  readonly times: WatchTimes
}

/** The last sign of a server. */
interface Sign {
  /** Bytes that all connections had received then. */
  received: number
  /** Time of it, ms that go on by themselves. */
  at: number
  /** Searches without a reply since. */
  failed: number
}

/**
 * Whether the server is silent by one more search, which is remembered.
 * @param silence that is long enough, ms
 */
export function isSilent(
  last: Sign,
  found: Found['is'],
  { received, now }: { readonly received: number; readonly now: number },
  silence: number,
): boolean {
  if (found !== 'no reply' || received !== last.received) {
    Object.assign(last, { received, at: now, failed: 0 })
    return false
  }
  last.failed++
  // The first search after a pause of this process fails by the clock alone.
  if (last.failed < 2 || now - last.at < silence) return false
  last.at = now
  return true
}

export function watchPrimary({ url, connections, report, times }: WatchOptions): PrimaryWatch {
  const breaks = { moved: 0, silent: 0 }
  const last: Sign = { received: 0, at: performance.now(), failed: 0 }
  const ending = new AbortController()
  let search: Search | undefined

  function breakAs(why: Broken, start?: string): void {
    if (connections.break(start) === 0) return
    breaks[why]++
    report(why)
  }

  async function look(): Promise<number> {
    search = findServer(url, times.limit)
    const found = await search.found
    if (ending.signal.aborted) return 0
    const now = { received: connections.received(), now: performance.now() }
    if (isSilent(last, found.is, now, times.silence)) breakAs('silent')
    if (found.is === 'server') breakAs('moved', found.start)
    return found.is === 'no reply' ? times.again : times.every
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      const wait = await look()
      await pause(wait, undefined, { ref: false, signal: ending.signal }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    breaks,
    async end() {
      ending.abort()
      search?.end()
      await running
    },
  }
}
