// Polls for a state of another program.
import { setTimeout as pause } from 'node:timers/promises' // oxlint-disable-line house/no-sleep-in-tests -- between two looks

/** Pause between two looks, ms. */
const EVERY = 20
/** Longest wait, ms. It ends what hangs. */
const LONGEST = 120_000

/**
 * Looks again and again until there is a result, which is not undefined or false. An error of `look` is no result.
 * @param what is named by the error when there is none
 */
export async function until<T>(
  look: () => Promise<T> | T,
  what: string,
  ms = LONGEST,
): Promise<Exclude<T, undefined | false>> {
  let last: unknown
  for (const giveUpAt = performance.now() + ms; ; await pause(EVERY)) {
    try {
      const found = await look()
      if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>
    } catch (error) {
      last = error
    }
    if (performance.now() > giveUpAt) throw new Error(`waited ${ms} ms for ${what}`, { cause: last })
  }
}
