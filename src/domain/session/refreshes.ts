// One refresh at a time: calls during one share its result.

/** @param run reads the device and requests the session */
export function createRefreshes(run: () => Promise<void>) {
  let current: Promise<void> | undefined
  let next: Promise<void> | undefined

  /** Calls made during a refresh share it. */
  function refresh(): Promise<void> {
    current ??= run().finally(() => (current = undefined))
    return current
  }

  return {
    refresh,
    /** Refreshes after a change, which the reply to an earlier request would not contain. */
    refreshNow(): Promise<void> {
      if (!current) return refresh()
      next ??= current.then(() => {
        next = undefined
        return refresh()
      })
      return next
    },
  }
}
