// Refetches requests sent before a block or mute changed the visible people.

let changes = 0
let changedAt = 0

/** Records that a person was blocked, muted, unblocked or unmuted. */
export function visibilityChanged(): void {
  changes++
  changedAt = Date.now()
}

/** Time of the last such change in this page, ms since 1970; 0 for none. */
export const visibilityChangedAt = (): number => changedAt

/** Sends a request, and again if a block or mute changed before its reply. */
export async function requestVisible<T>(request: () => Promise<T>): Promise<T> {
  const before = changes
  const reply = await request().then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error
    },
  )
  return before === changes ? reply() : requestVisible(request)
}
