// Whether Enter alone sends messages on this device; otherwise it breaks the line.
import * as v from 'valibot'
import { createPersistedValue } from '#src/lib/persisted-value.ts'
import { createStore } from '#src/lib/store.ts'

const stored = createPersistedValue(() => localStorage, 'todoke.enter-sends', v.boolean())

export const enterSends = createStore(false, (set) => {
  const look = () => set(stored.read() ?? false)
  look()
  // Another tab has changed it.
  window.addEventListener('storage', look)
  return () => window.removeEventListener('storage', look)
})

export function setEnterSends(on: boolean): void {
  stored.save(on)
  enterSends.set(on)
}
