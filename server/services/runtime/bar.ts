// The bar of the settings at runtime, as readers get it.
import { createHash } from 'node:crypto'
import type { Bar } from '#contract/administration/runtime-settings.ts'

/** What a page shows; `key` differs for another text or link, so that closing one does not close the next one. */
export interface ShownBar {
  readonly key: string
  readonly text: string
  readonly link: string | null
}

/** The bar at a moment; null before it begins, from its end on, and without one. @param now ms since 1970 */
export function barAt(bar: Bar | null, now: number): ShownBar | null {
  if (!bar || now < Date.parse(bar.from) || now >= Date.parse(bar.until)) return null
  const { text, link } = bar
  const hash = createHash('sha256').update(JSON.stringify([text, link]))
  return { key: hash.digest('base64url').slice(0, 16), text, link }
}
