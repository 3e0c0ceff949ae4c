// Serializes the calls that show and list notifications.
import type { Desktop } from './windows.ts'

type Registration = Desktop['registration']

/** The next call waits at most this long for the one before it, ms. A busy phone takes seconds for one. */
const CALL_TIMEOUT_MS = 5000

/**
 * Returns the registration with its calls one after the other. While Chromium lists notifications it deletes those that
 * its desktop has not shown yet: one that is shown at that moment is lost, or stays on the desktop and does not react to
 * a press.
 */
export function serialNotifications(registration: Registration): Registration {
  let last: Promise<unknown> = Promise.resolve()
  /** Lists that have not begun, by their tag. Equal lists share one call, so that many of them do not delay a notification. */
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

const elapsed = () => new Promise<void>((resolve) => setTimeout(resolve, CALL_TIMEOUT_MS))
