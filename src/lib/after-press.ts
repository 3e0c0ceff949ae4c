// Waits until a press is over: a button that moves under a finger is missed by it.

let pressing = false
const ends = ['pointerup', 'pointercancel'] as const

addEventListener('pointerdown', () => (pressing = true), true)
for (const end of ends) addEventListener(end, () => (pressing = false), true)

/**
 * Runs `work` at once, or, while a button is pressed, right after its click. Leaving a field by pressing a button
 * shows the field's error, which would move the button away.
 */
export function afterPress(work: () => void): void {
  if (!pressing) return work()
  const stop = new AbortController()
  const over = () => {
    stop.abort()
    setTimeout(work)
  }
  for (const end of ends) addEventListener(end, over, { capture: true, signal: stop.signal })
}
