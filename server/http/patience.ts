// Patience: who tries one secret after the other waits longer each time for the verdict, and one network has only so many tries.
import type { FastifyRequest } from 'fastify'
import type { Counts } from '#server/adapters/counts.ts'
import { ApiError } from './errors.ts'
import type { Limits, Patience as Settings } from './limits.ts'
import { networkBudget } from './network-budget.ts'

/** As many may wait at the same time: each holds a connection, which is all it holds. */
const MOST_WAITING = 500

/** How long the nth try waits, ms. */
export function delayOf(tries: number, { free, first, longest }: Settings): number {
  return tries <= free ? 0 : Math.min(longest, first * 2 ** (tries - free - 1))
}

/** What is guessed at: a password at the door or inside, a code that came by mail, a registration's password. */
export type Guessed = 'sign-in' | 'reset' | 'validation' | 'email-change' | 'registration'

export interface Patience {
  /**
   * Counts a try and lets it wait, before anything is compared: whether the secret is right shows in nothing.
   * Tries made side by side are counted before the first is answered.
   * @param whose what is tried: an address from where it is called, a person, a registration
   * @param ownLimit the secret has a limit that only its owner's tries use up: the network's budget is not asked
   * @throws ApiError `rate_limited` when the network had its tries, too many wait already, or the caller has gone
   */
  wait(request: FastifyRequest, whose: string, ownLimit?: boolean): Promise<void>
  /** The secret was right: the next try is the first, and the network has spent nothing. */
  forgive(request: FastifyRequest, whose: string): Promise<void>
}

export function patience(
  counts: Counts,
  { patience: settings, guesses }: Pick<Limits, 'patience' | 'guesses'>,
  what: Guessed,
): Patience {
  let waiting = 0
  const network = networkBudget(counts, 'guesses', guesses)
  const keyOf = (whose: string) => `tries ${what} ${whose}`
  return {
    async wait(request, whose, ownLimit = false) {
      await (ownLimit ? network.note(request) : network.spend(request))
      const { current } = await counts.add(keyOf(whose), settings.window)
      const delay = delayOf(current, settings)
      if (delay === 0) return
      if (waiting >= MOST_WAITING) throw new ApiError('rate_limited')
      waiting += 1
      try {
        if (!(await stays(request, delay))) throw new ApiError('rate_limited')
      } finally {
        waiting -= 1
      }
    },
    async forgive(request, whose) {
      await counts.forget(keyOf(whose))
      await network.giveBack(request)
    },
  }
}

/** Whether the caller is still there after so many ms; one who leaves is not waited for. */
function stays(request: FastifyRequest, ms: number): Promise<boolean> {
  const { socket } = request.raw
  return new Promise((resolve) => {
    const end = (stayed: boolean) => {
      clearTimeout(timer)
      socket.off('close', gone)
      resolve(stayed)
    }
    const gone = () => end(false)
    const timer = setTimeout(() => end(true), ms)
    socket.once('close', gone)
  })
}
