// Moments that a story chooses.

/**
 * Resolves after a time. It is for what has no state to wait for: a fault that comes at any moment or lasts for a while, and hands that
 * pause between two characters. A story that waits for the product waits for a state of the product.
 * @param ms time, ms
 */
export const afterDelay = (ms: number): Promise<void> =>
  // oxlint-disable-next-line house/no-sleep-in-tests -- see above
  new Promise((done) => void setTimeout(done, ms))
