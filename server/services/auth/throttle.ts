// The throttle delays replies after failed tries of a secret, and limits tries by network.
import type { FastifyRequest } from 'fastify'
import type { Counts } from '#server/adapters/counts.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Limits, ThrottleSettings } from '#server/http/limits.ts'
import { createNetworkBudget } from './network-budget.ts'

/** Tries that may wait at the same time; each costs only its connection. */
const MAX_WAITING = 500

/** How long a try waits, ms. */
export function delayOf(tries: number, { free, first, longest }: ThrottleSettings): number {
  return tries <= free ? 0 : Math.min(longest, first * 2 ** (tries - free - 1))
}

/** The secret that is tried: a password at sign-in or reauthentication, an emailed code, a registration's password, a code of the second factor. */
export type ThrottledSecret =
  | 'sign-in'
  | 'reset'
  | 'validation'
  | 'email-change'
  | 'registration'
  | 'second-factor'

export interface Throttle {
  /**
   * Counts a try and delays it before the secret is compared, so that the delay does not depend on the result.
   * Concurrent tries are counted before the first reply.
   * @param whose key of the tries: an address with its network, a person, a registration
   * @param ownLimit the tries of this owner have their own limit, so that the network's budget refuses none
   * @throws ApiError `rate_limited` when the network's budget is spent, too many tries wait, or the caller disconnected
   */
  wait(request: FastifyRequest, whose: string, ownLimit?: boolean): Promise<void>
  /** Resets the count after a right secret, and uncounts the network's try. */
  reset(request: FastifyRequest, whose: string): Promise<void>
}

export function createThrottle(
  counts: Counts,
  { throttle: settings, guesses }: Pick<Limits, 'throttle' | 'guesses'>,
  what: ThrottledSecret,
): Throttle {
  let waiting = 0
  const network = createNetworkBudget(counts, 'guesses', guesses)
  const keyOf = (whose: string) => `tries ${what} ${whose}`
  return {
    async wait(request, whose, ownLimit = false) {
      await (ownLimit ? network.count(request) : network.spend(request))
      const { current } = await counts.add(keyOf(whose), settings.window)
      const delay = delayOf(current, settings)
      if (delay === 0) return
      if (waiting >= MAX_WAITING) throw new ApiError('rate_limited')
      waiting += 1
      try {
        if (!(await isConnectedAfter(request, delay))) throw new ApiError('rate_limited')
      } finally {
        waiting -= 1
      }
    },
    async reset(request, whose) {
      await counts.reset(keyOf(whose))
      await network.uncount(request)
    },
  }
}

/** Whether the caller is still connected after `ms`; ends at once when the caller disconnects. */
function isConnectedAfter(request: FastifyRequest, ms: number): Promise<boolean> {
  const { socket } = request.raw
  return new Promise((resolve) => {
    const end = (isConnected: boolean) => {
      clearTimeout(timer)
      socket.off('close', onClose)
      resolve(isConnected)
    }
    const onClose = () => end(false)
    const timer = setTimeout(() => end(true), ms)
    socket.once('close', onClose)
  })
}
