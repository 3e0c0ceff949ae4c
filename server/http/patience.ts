// Patience: who tries one password after the other waits longer each time for the verdict.
import type { FastifyRequest } from 'fastify'
import type { Counts } from '#server/adapters/counts.ts'
import { ApiError } from './errors.ts'
import { emailKey, type Patience as Settings } from './limits.ts'

/** As many may wait at the same time: each holds a connection, which is all it holds. */
const MOST_WAITING = 500

/** How long the nth try waits, ms. */
export function delayOf(tries: number, { free, first, longest }: Settings): number {
  return tries <= free ? 0 : Math.min(longest, first * 2 ** (tries - free - 1))
}

export interface Patience {
  /**
   * Counts a try and lets it wait, before anything is compared: whether the password is right shows in nothing.
   * Tries made side by side are counted before the first is answered.
   * @throws ApiError `rate_limited` when too many wait already, or the caller has gone
   */
  wait(request: FastifyRequest): Promise<void>
  /** The password was right: the next try is the first. */
  forgive(request: FastifyRequest): Promise<void>
}

export function patience(counts: Counts, settings: Settings): Patience {
  let waiting = 0
  const keyOf = (request: FastifyRequest) => `tries ${emailKey(request)}`
  return {
    async wait(request) {
      const { current } = await counts.add(keyOf(request), settings.window)
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
    forgive: (request) => counts.forget(keyOf(request)),
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
