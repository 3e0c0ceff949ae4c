// Follows an upload that the browser carries by itself.
import type { Outcome } from '#sw/queue/ports.ts'
import { Ended } from './outcome.ts'
import { readStored, sumOf } from './parts.ts'
import type { Transfer, TusDeps } from './transfer.ts'

/** How often the server is asked what has arrived, ms: only its count is true. */
const ASK_EVERY_MS = 3000
/** After so long without a new byte the queue sends as well, ms: the browser may not have begun, or be stuck. */
export const STALLED_MS = 60_000

/**
 * Waits while the browser carries an upload, and reports what has arrived.
 * @returns `over` when the browser has nothing left to send, `stalled` when nothing arrives, or the outcome that ends the step
 */
export async function followCarried(
  deps: TusDeps,
  it: Transfer & { readonly url: string },
): Promise<'over' | 'stalled' | Outcome<never>> {
  const { carrier, clock } = deps
  let [known, changedAt] = [-1, clock.now()]
  while (await carrier?.isCarrying(it.media.id)) {
    if (it.signal.aborted) return { is: 'stopped' }
    const stored = await storedNow(deps, it)
    if (typeof stored === 'object') return stored
    if (stored !== undefined && stored !== known) {
      known = stored
      changedAt = clock.now()
      await it.onProgress({ offset: stored })
    }
    if (stored === it.media.size) return 'over'
    if (clock.now() - changedAt >= STALLED_MS) return 'stalled'
    await clock.sleep(clock.now() + ASK_EVERY_MS, it.signal)
  }
  return 'over'
}

/** Bytes that the server has; undefined when it does not say, or the outcome that ends the step. */
async function storedNow(
  deps: TusDeps,
  it: Transfer & { readonly url: string },
): Promise<number | undefined | Outcome<never>> {
  try {
    return sumOf(await readStored(deps, it))
  } catch (error) {
    if (!(error instanceof Ended)) throw error
    return error.end.is === 'signedOut' || error.end.is === 'stopped' ? error.end : undefined
  }
}
