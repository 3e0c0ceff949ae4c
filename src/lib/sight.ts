// Whom this person sees: what was asked of the server before that changed is asked again.

let changes = 0

/** Somebody was blocked or muted, or is not any more. */
export function sightChanged(): void {
  changes++
}

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
