// Lets simultaneous callers share one call that begins after all of them.

/**
 * A caller may not share a call that has begun already: its result would be older than the caller's request.
 * @returns a function whose result was read after it was called
 */
export function shareNext<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= running.then(() => {
      const begun = call()
      next = undefined
      running = begun.catch(() => undefined)
      return begun
    })
    return next
  }
}
