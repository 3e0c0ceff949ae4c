// Gaps in the live connection: their events were missed, so data is read again.

/** Calls `recovered` once after a gap, when all channels have answered. */
export function createGaps(recovered: () => void) {
  const waiting = new Set<string>()
  let open = false
  let connected = false
  function recoverIfComplete(): void {
    if (!connected || !open || waiting.size > 0) return
    open = false
    recovered()
  }
  function removeChannel(channel: string): void {
    waiting.delete(channel)
    recoverIfComplete()
  }
  return {
    /** The connection closed, and with it these channels. */
    begin(channels: readonly string[]) {
      open = true
      connected = false
      for (const it of channels) waiting.add(it)
    },
    /** The connection opened again; its channels answer one by one. */
    connected() {
      connected = true
      recoverIfComplete()
    },
    answered: removeChannel,
    /** The channel has no listener left; it may have been the last one without a reply. */
    left: removeChannel,
  }
}
