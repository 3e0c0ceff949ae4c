// Notifies the open page that its own navigation item was pressed again.
const listeners = new Set<() => void>()

/** The way to the page that is open was pressed. */
export function reselected(): void {
  for (const listener of listeners) listener()
}

/** Calls back at each such press, until the returned function is called. */
export function onReselected(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
