// Prevents repeated automatic reloads of a page (specification section 9).
import { RELOAD_GUARD_MS } from '#contract/limits.ts'

const KEY = 'todoke-reloaded'

/**
 * * Whether the page may reload itself now. A permitted reload is recorded.
 * @param storage survives a reload of this tab
 * @param now milliseconds since 1970
 */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  const last = Number(storage.getItem(KEY) ?? 0)
  // A recorded time in the future came from a wrong clock.
  if (now >= last && now - last < RELOAD_GUARD_MS) return false
  storage.setItem(KEY, String(now))
  return true
}
