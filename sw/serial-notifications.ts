// Shows and lists notifications one after the other.
import type { Desktop } from './windows.ts'

type Registration = Desktop['registration']

/** The next call is made at the latest so long after the one before it, ms. A busy phone takes seconds for one. */
const PATIENCE_MS = 5000

/**
 * The registration with its calls in turn. While Chromium lists notifications it deletes those that its desktop has not
 * shown yet: one that is shown at the same moment is lost, or stays on the desktop and does nothing when it is pressed.
 */
export function serialNotifications(registration: Registration): Registration {
  let last: Promise<unknown> = Promise.resolve()
  /** Lists that have not begun, by their tag. Equal ones are one call, so that many of them delay no notification. */
  const waiting = new Map<string, Promise<Notification[]>>()
  function after<T>(call: () => Promise<T>): Promise<T> {
    const result = last.then(call)
    last = Promise.race([result.catch(() => undefined), last.then(elapsed)])
    return result
  }
  return {
    showNotification: (title, options) => after(() => registration.showNotification(title, options)),
    getNotifications(filter) {
      const key = filter?.tag ?? ''
      const same = waiting.get(key)
      if (same) return same
      const result = after(() => {
        waiting.delete(key)
        return registration.getNotifications(filter)
      })
      waiting.set(key, result)
      return result
    },
  }
}

const elapsed = () => new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS))
