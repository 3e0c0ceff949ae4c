// What a finger does to a row: its place and its shown acts. Pure.

/** The side of a row whose acts are shown: `start` after a swipe to the right, `end` after one to the left. */
export type Side = 'start' | 'end'

/** Width of one act, CSS pixels. */
export const ACT_WIDTH = 76
/** Shortest movement that decides between a swipe and scrolling, CSS pixels. */
const SLOP = 10
/** Speed of a short swipe that shows the acts all the same, CSS pixels a millisecond. */
const FAST = 0.4
/** Part of the movement beyond the acts by which the row still follows. */
const RESISTANCE = 0.2

/** Widths of the acts, CSS pixels; a side without acts has 0. */
export type Widths = Readonly<Record<Side, number>>

interface Point {
  readonly x: number
  readonly y: number
  /** Milliseconds. */
  readonly at: number
}

/** The movement of one finger. `other`: it scrolls, or has done something else. */
export interface Swipe {
  readonly is: 'begun' | 'swiping' | 'other'
  readonly from: Point
  readonly last: Point
  /** Where the row was, and where it is, CSS pixels to the right. */
  readonly start: number
  readonly offset: number
  /** Speed to the right, CSS pixels a millisecond. */
  readonly speed: number
}

export const offsetOf = (side: Side | undefined, widths: Widths): number =>
  side === undefined ? 0 : side === 'start' ? widths.start : -widths.end

export const beginSwipe = (at: Point, start: number): Swipe => ({
  is: 'begun',
  from: at,
  last: at,
  start,
  offset: start,
  speed: 0,
})

export function moveSwipe(swipe: Swipe, to: Point, widths: Widths): Swipe {
  if (swipe.is === 'other') return swipe
  const [dx, dy] = [to.x - swipe.from.x, to.y - swipe.from.y]
  if (swipe.is === 'begun') {
    if (Math.hypot(dx, dy) < SLOP) return swipe
    if (Math.abs(dy) >= Math.abs(dx)) return { ...swipe, is: 'other' }
  }
  const elapsed = Math.max(1, to.at - swipe.last.at)
  return {
    ...swipe,
    is: 'swiping',
    last: to,
    offset: limited(swipe.start + dx, widths),
    speed: (to.x - swipe.last.x) / elapsed,
  }
}

/** Beyond its acts a row follows slowly; to a side without acts not at all. */
function limited(offset: number, { start, end }: Widths): number {
  if (offset > start) return start === 0 ? 0 : start + (offset - start) * RESISTANCE
  if (offset < -end) return end === 0 ? 0 : -end + (offset + end) * RESISTANCE
  return offset
}

/** The side whose acts are shown once the finger has left; undefined for none. */
export function sideAfter(
  { offset, speed }: Pick<Swipe, 'offset' | 'speed'>,
  widths: Widths,
): Side | undefined {
  if (offset === 0) return undefined
  const side = offset > 0 ? 'start' : 'end'
  const outwards = offset > 0 ? speed : -speed
  if (outwards > FAST) return side
  if (outwards < -FAST) return undefined
  return Math.abs(offset) > widths[side] / 2 ? side : undefined
}
