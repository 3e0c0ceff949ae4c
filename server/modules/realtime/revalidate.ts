// Revalidates open connections: access that ends by time alone causes no event.
import * as v from 'valibot'
import type { Ending } from '#contract/realtime/channels.ts'
import { id } from '#contract/ids.ts'
import type { Deps, SocketServer } from '#server/deps.ts'
import { recordSeen } from '#server/store/accounts/settings.ts'
import { openSessions } from '#server/store/accounts/open-sessions.ts'
import { joinableChannels } from './authorize-channel.ts'

type RevalidationDeps = Pick<Deps, 'db' | 'clock' | 'realtime' | 'every'>

/** Time between two checks, ms: an expired session or membership stays connected no longer. */
const INTERVAL_MS = 60_000
/** Sessions checked per query. */
const BATCH_SIZE = 500

/**
 * Checks all connections at a fixed interval.
 * @param failed called with the error of a failed check; later checks run nevertheless
 * @returns stops the checks
 */
export function revalidateConnections(
  deps: RevalidationDeps,
  sockets: SocketServer,
  failed: (error: unknown) => void,
): () => void {
  let running = false
  return deps.every(INTERVAL_MS, async () => {
    if (running) return
    running = true
    try {
      await revalidateOnce(deps, sockets.connections())
    } catch (error) {
      failed(error)
    } finally {
      running = false
    }
  })
}

/**
 * Records whose pages are connected, and ends connections without a valid session, and those of people who may no longer join one of their channels. A client
 * that reconnects is authorized again for each channel.
 */
async function revalidateOnce(
  deps: RevalidationDeps,
  all: ReturnType<SocketServer['connections']>,
): Promise<void> {
  // Other session ids belong to grants that another process of the operator signed; they are not checked.
  const own = all.filter((it) => v.is(id, it.sessionId))
  const connected = new Set<string>()
  for (let from = 0; from < own.length; from += BATCH_SIZE) {
    const batch = own.slice(from, from + BATCH_SIZE)
    const ids = batch.map((it) => it.sessionId)
    const open = await openSessions(deps.db, [...new Set(ids)], deps.clock())
    const expired = batch.filter((it) => !open.has(it.sessionId))
    const ended = expired.map(({ userId, sessionId }): Ending => ({ is: 'session', userId, sessionId }))
    if (ended.length > 0) deps.realtime.end(ended)
    const valid = batch.filter((it) => open.has(it.sessionId))
    for (const it of valid) connected.add(it.userId)
    for (const [userId, connections] of Map.groupBy(valid, (it) => it.userId)) {
      const channels = new Set(connections.flatMap((it) => it.channels))
      const viewer = open.get(connections[0]?.sessionId ?? '')
      if (!viewer) continue
      const joinable = await joinableChannels(deps, viewer, channels)
      if (joinable.size < channels.size) deps.realtime.end([{ is: 'permissions', userIds: [userId] }])
    }
  }
  await recordAllSeen(deps, [...connected])
}

/** Last, since its failure must not stop the endings. */
async function recordAllSeen({ db, clock }: RevalidationDeps, userIds: readonly string[]): Promise<void> {
  for (let from = 0; from < userIds.length; from += BATCH_SIZE)
    await recordSeen(db, userIds.slice(from, from + BATCH_SIZE), clock())
}
