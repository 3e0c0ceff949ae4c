// Waits for a promise, but not longer than a time.

/** A promise did not end within its time. */
export class Late extends Error {
  constructor(ms: number) {
    super(`no reply within ${ms} ms`)
    this.name = 'Late'
  }
}

/**
 * Waits for a promise. What it does is not stopped.
 * @throws Late after `ms`; what the promise throws
 */
export function withTimeLimit<T>(promise: Promise<T>, ms: number): Promise<T> {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => limit.reject(new Late(ms)), ms)
  timer.unref()
  // A failure after its time is known already.
  promise.catch(() => undefined)
  return Promise.race([promise, limit.promise]).finally(() => clearTimeout(timer))
}
