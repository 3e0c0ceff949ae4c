// Pressed again: the way to a page that is open already. The page decides what that means.
const listeners = new Set<() => void>()

/** The way to the page that is open was pressed. */
export function pressedAgain(): void {
  for (const listener of listeners) listener()
}

/** Calls back at each such press, until the returned function is called. */
export function onPressedAgain(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
