// Waits until a press is over: a button that moves under a finger is missed by it.

let pressing = false
const ends = ['pointerup', 'pointercancel'] as const

addEventListener('pointerdown', () => (pressing = true), true)
for (const end of ends) addEventListener(end, () => (pressing = false), true)

/**
 * Does at once what may move the page, or, while something is pressed, as soon as the click it makes was heard. Leaving
 * a field by pressing a button shows the field's error, which would push the button away.
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
