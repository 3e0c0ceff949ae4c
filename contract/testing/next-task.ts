// Ends the task of a test, so that due promises continue.

/** Resolves in the next task, after all promises that can continue now. It waits for no time and for no work of others. */
export const nextTask = (): Promise<void> =>
  // oxlint-disable-next-line house/no-sleep-in-tests -- a timer without a time is the only task that pages and servers share
  new Promise((resolve) => void setTimeout(resolve))
