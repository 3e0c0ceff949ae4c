// A test server with a primary and one replica of its own.
import { expect } from 'vitest'
import { noMetrics, type ReplicaReadKind } from '#server/adapters/metrics/metrics.ts'
import { openWorld, type World, type WorldOptions } from '#server/testing/world.ts'
import { openBrowser, type Browser } from './browser.ts'
import type { PostgresServer } from './postgres-server.ts'
import { type ReplicaServer, startPrimary, startReplica } from './replica.ts'
import { signUp } from '#server/testing/people/members.ts'

export interface ReplicatedWorld extends World {
  readonly primary: PostgresServer
  readonly replica: ReplicaServer
  /** Where reads were served since the last call, each kind once. */
  served(): ReplicaReadKind[]
  /** Resolves when the replica has replayed everything, and the server uses it. */
  caughtUp(): Promise<void>
  /** Runs work while the replica replays nothing. Before it, the replica has replayed everything. */
  whilePaused<T>(work: () => Promise<T>): Promise<T>
  /** A new person's browser, whose lists may be read from the replica as it is now. */
  reader(): Promise<Browser>
}

export async function openReplicated(options: WorldOptions = {}): Promise<ReplicatedWorld> {
  const primary = await startPrimary()
  await primary.sql(`create extension pg_stat_statements`)
  const replica = await startReplica(primary)
  const kinds: ReplicaReadKind[] = []
  const world = await openWorld({
    ...options,
    // A paused replica stays in use for as long as a test needs it.
    at: { url: primary.url, replicas: { urls: [replica.url], maxLag: 1e9 } },
    parts: { ...options.parts, metrics: { ...noMetrics, replicaRead: (kind) => void kinds.push(kind) } },
  })
  const caughtUp = async () => {
    await expect.poll(() => replica.isCaughtUp()).toBe(true)
    const used = () => world.database.replicas?.figures().map((it) => it.standing === 'used' && it.lag < 1)
    await expect.poll(used).toEqual([true])
  }
  return {
    ...world,
    primary,
    replica,
    served: () => [...new Set(kinds.splice(0))],
    caughtUp,
    async whilePaused(work) {
      await caughtUp()
      await replica.pause()
      kinds.length = 0
      try {
        return await work()
      } finally {
        await replica.resume()
      }
    },
    async reader() {
      const browser = openBrowser(world, await signUp(world))
      await browser.call('GET', '/feed/latest')
      return browser
    },
    async close() {
      await world.close()
      await replica.remove()
      await primary.remove()
    },
  }
}
