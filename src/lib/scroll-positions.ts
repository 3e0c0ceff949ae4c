// Scroll positions and measured row heights of long lists and conversations.

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

/** The first visible message of a conversation, and the distance of its end from the top of the box, CSS pixels. */
export interface MessageAnchor {
  readonly seq: number
  readonly end: number
}

const positions = new Map<string, ListPosition>()
const conversations = new Map<string, MessageAnchor>()

/** Where a conversation was left, by the id of the other person; undefined at its end. */
export const conversationPosition = (userId: string): MessageAnchor | undefined => conversations.get(userId)

/** Notes where a conversation is; undefined at its end. */
export function noteConversation(userId: string, anchor: MessageAnchor | undefined): void {
  if (anchor) conversations.set(userId, anchor)
  else conversations.delete(userId)
}

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
  conversations.clear()
}
