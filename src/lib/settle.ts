// What is switched on and off faster than the network answers: one request at a time, and the last press holds.

interface Under {
  wanted: boolean
}
const under = new Map<string, Under>()

export type Settled<Said> =
  | { readonly is: 'settled'; readonly said: Said }
  /** An earlier press is still being sent, and takes this one along. */
  | { readonly is: 'taken-along' }
  /** `stands`: what the server holds. */
  | { readonly is: 'refused'; readonly error: unknown; readonly stands: boolean }

/**
 * Brings a switch to where it is wanted.
 * @param key names the switch
 * @param wanted where it was pressed to; it stood the other way before
 * @param send tells the server
 */
export async function settle<Said>(
  key: string,
  wanted: boolean,
  send: (wanted: boolean) => Promise<Said>,
): Promise<Settled<Said>> {
  const running = under.get(key)
  if (running) {
    running.wanted = wanted
    return { is: 'taken-along' }
  }
  const state: Under = { wanted }
  under.set(key, state)
  let stands = !wanted
  try {
    for (;;) {
      const sent = state.wanted
      const said = await send(sent)
      stands = sent
      if (state.wanted === sent) return { is: 'settled', said }
    }
  } catch (error) {
    return { is: 'refused', error, stands }
  } finally {
    under.delete(key)
  }
}
