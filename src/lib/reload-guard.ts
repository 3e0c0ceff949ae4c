// Prevents repeated automatic reloads of a page (specification section 9).
import { RELOAD_GUARD_MS } from '#contract/limits.ts'

const KEY = 'todoke-reloaded'

/**
 * Whether the page may reload itself now; if so, this is recorded.
 * @param storage survives a reload of this tab
 * @param now milliseconds since 1970
 */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  const last = Number(storage.getItem(KEY) ?? 0)
  // A note from the future was made by a clock that was wrong.
  if (now >= last && now - last < RELOAD_GUARD_MS) return false
  storage.setItem(KEY, String(now))
  return true
}
