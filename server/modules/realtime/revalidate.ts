// Revalidates open connections: access that ends by time alone causes no event.
import * as v from 'valibot'
import type { Ending } from '#contract/realtime/channels.ts'
import { id } from '#contract/ids.ts'
import type { Deps, Door } from '#server/deps.ts'
import { openSessions } from '#server/store/accounts/sessions.ts'
import { joinableChannels } from './authorize-channel.ts'

type Looked = Pick<Deps, 'db' | 'clock' | 'realtime' | 'every'>

/** An expired session or membership stays connected for this long at most, ms. */
const LOOK_EVERY = 60_000
/** Sessions checked per query. */
const STRETCH = 500

/**
 * @param failed called with the error of a failed check; the next one runs all the same
 */
export function revalidateConnections(
  deps: Looked,
  door: Door,
  failed: (error: unknown) => void,
): () => void {
  let looking = false
  return deps.every(LOOK_EVERY, async () => {
    if (looking) return
    looking = true
    try {
      await revalidateOnce(deps, door.connections())
    } catch (error) {
      failed(error)
    } finally {
      looking = false
    }
  })
}

/** A client that reconnects after an ending is authorized again, channel by channel. */
async function revalidateOnce(deps: Looked, all: ReturnType<Door['connections']>): Promise<void> {
  // What another process of the operator's signed for people of its own is not ours to judge.
  const ours = all.filter((it) => v.is(id, it.sessionId))
  for (let from = 0; from < ours.length; from += STRETCH) {
    const some = ours.slice(from, from + STRETCH)
    const ids = some.map((it) => it.sessionId)
    const open = await openSessions(deps.db, [...new Set(ids)], deps.clock())
    const gone = some.filter((it) => !open.has(it.sessionId))
    const ended = gone.map(({ userId, sessionId }): Ending => ({ is: 'session', userId, sessionId }))
    if (ended.length > 0) deps.realtime.end(ended)
    const there = some.filter((it) => open.has(it.sessionId))
    for (const [userId, theirs] of Map.groupBy(there, (it) => it.userId)) {
      const channels = new Set(theirs.flatMap((it) => it.channels))
      const viewer = open.get(theirs[0]?.sessionId ?? '')
      if (!viewer) continue
      const heard = await joinableChannels(deps, viewer, channels)
      if (heard.size < channels.size) deps.realtime.end([{ is: 'standing', userIds: [userId] }])
    }
  }
}
