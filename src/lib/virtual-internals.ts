// What TanStack Virtual leaves undocumented and this app needs; its test fails when a version changes it.
import type { Virtualizer } from '@tanstack/react-virtual'

/**
 * Where a row begins, px from the top of the page; undefined for no row. `getOffsetForIndex` gives no more than the page
 * can be scrolled at the moment.
 */
export function startOf<Scroll extends Element | Window, Row extends Element>(
  { measurementsCache }: Virtualizer<Scroll, Row>,
  index: number,
): number | undefined {
  return measurementsCache[index]?.start
}
