// Scroll positions and measured row heights of long lists, restored on return.

/** The row at the top of the screen, and its part above the edge, CSS pixels. */
export interface Anchor {
  readonly key: string
  readonly over: number
}

export interface ListPosition {
  /** Measured heights by row, valid for one width of the page. */
  readonly heights: Map<string, number>
  width: number
  /** Undefined at the top of the list. */
  anchor: Anchor | undefined
}

const positions = new Map<string, ListPosition>()

/** The position stored under a name; heights measured at another width are dropped. */
export function positionOf(name: string, width: number): ListPosition {
  const stored = positions.get(name)
  if (stored && stored.width === width) return stored
  const position = { heights: new Map<string, number>(), width, anchor: stored?.anchor }
  positions.set(name, position)
  return position
}

/** The next visit of every list begins at its top, for example after a new post. */
export function resetToTop(): void {
  for (const place of positions.values()) place.anchor = undefined
}

/** Deletes all positions, since another account signed in. */
export function clearPositions(): void {
  positions.clear()
}
