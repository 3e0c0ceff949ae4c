// Scroll positions and measured row heights of long lists, for the way back.

/** A row that stood at the top of the screen, and how far of it was above the edge, CSS pixels. */
export interface Anchor {
  readonly key: string
  readonly over: number
}

export interface ListPlace {
  /** Measured heights by row. They hold for one width of the page. */
  readonly heights: Map<string, number>
  width: number
  /** Undefined: the top. */
  anchor: Anchor | undefined
}

const places = new Map<string, ListPlace>()

/** The position stored under a name; heights measured at another width are dropped. */
export function placeOf(name: string, width: number): ListPlace {
  const known = places.get(name)
  if (known && known.width === width) return known
  const place = { heights: new Map<string, number>(), width, anchor: known?.anchor }
  places.set(name, place)
  return place
}

/** The next visit begins at the top: there is something new to see. */
export function toTheTop(): void {
  for (const place of places.values()) place.anchor = undefined
}

/** What one person read is not for the next one. */
export function forgetPlaces(): void {
  places.clear()
}
