// Refetches requests sent before a block or mute changed the visible people.

let changes = 0
let changedAt = 0

/** A person was blocked, muted, unblocked or unmuted. */
export function sightChanged(): void {
  changes++
  changedAt = Date.now()
}

/** When a block or a mute last changed, ms since 1970; 0 if none did since the page was loaded. */
export const sightChangedAt = (): number => changedAt

/** Asks, and once more where whom one sees changed before the answer came: it may be of before. */
export async function askSeeing<T>(ask: () => Promise<T>): Promise<T> {
  const before = changes
  const answer = await ask().then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error
    },
  )
  return before === changes ? answer() : askSeeing(ask)
}
