// Runs work after a button press ends, so that the button does not move.

let pressing = false
const ends = ['pointerup', 'pointercancel'] as const

addEventListener('pointerdown', () => (pressing = true), true)
for (const end of ends) addEventListener(end, () => (pressing = false), true)

/**
 * Runs `work` at once or, while a button is pressed, right after its click. A press on a button takes the focus from
 * a field, and the field's error would move the button away from the finger.
 */
export function afterPress(work: () => void): void {
  if (!pressing) return work()
  const listeners = new AbortController()
  const onPressEnd = () => {
    listeners.abort()
    setTimeout(work)
  }
  for (const end of ends) addEventListener(end, onPressEnd, { capture: true, signal: listeners.signal })
}
