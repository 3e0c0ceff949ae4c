// Whether a pointer is pressed: what moves the page under one waits for its release.

let isDown = false

const capture = { capture: true, passive: true } as const
addEventListener('pointerdown', () => (isDown = true), capture)
for (const end of ['pointerup', 'pointercancel'] as const)
  addEventListener(end, () => (isDown = false), capture)

/**
 * Does something once no pointer is pressed, and after the click that a release brings: a layout that changes between
 * press and release takes the click away from what was pressed. At once where nothing is pressed.
 */
export function afterPress(work: () => void): void {
  if (!isDown) {
    work()
    return
  }
  const stop = new AbortController()
  const end = () => {
    stop.abort()
    setTimeout(work)
  }
  for (const it of ['pointerup', 'pointercancel'] as const)
    addEventListener(it, end, { ...capture, signal: stop.signal })
}
