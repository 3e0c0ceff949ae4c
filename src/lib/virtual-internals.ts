// Wraps undocumented behaviour of TanStack Virtual; its test fails when a version changes it.
import type { Virtualizer } from '@tanstack/react-virtual'

/**
 * Where a row begins, px from the top of the page; undefined for no row. `getOffsetForIndex` returns at most the
 * current scroll range.
 */
export function rowStart<Scroll extends Element | Window, Row extends Element>(
  { measurementsCache }: Virtualizer<Scroll, Row>,
  index: number,
): number | undefined {
  return measurementsCache[index]?.start
}
