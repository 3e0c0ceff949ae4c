// Gaps in the live connection: events in them were missed, so the data is read again.

/** After a gap everybody is told once, when the last channel has answered: nothing is said unheard from then on. */
export function createGaps(recovered: () => void) {
  const waiting = new Set<string>()
  let open = false
  let connected = false
  function settle(): void {
    if (!connected || !open || waiting.size > 0) return
    open = false
    recovered()
  }
  function over(channel: string): void {
    waiting.delete(channel)
    settle()
  }
  return {
    /** The connection is gone, and with it these channels. */
    begin(channels: readonly string[]) {
      open = true
      connected = false
      for (const it of channels) waiting.add(it)
    },
    /** The connection is back; its channels answer one by one. */
    connected() {
      connected = true
      settle()
    },
    answered: over,
    /** The channel has no listener any more: it may have been the last one without a reply. */
    left: over,
  }
}
