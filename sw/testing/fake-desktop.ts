// A fake desktop: its windows, the notices on it, and a log of the calls.
import type { ToPage } from '#sw/messages.ts'
import type { Desktop } from '#sw/windows.ts'

export interface ShownNotice extends NotificationOptions {
  title: string
  body: string
  tag: string
  data: unknown
  actions?: { action: string; title: string }[]
  renotify?: boolean
  close: () => void
}

export interface Window {
  readonly visibilityState: DocumentVisibilityState
  /** The page that it shows; without one its app does not answer messages. */
  readonly path?: string
  /** Whether `navigate` is refused. */
  readonly blocksNavigation?: boolean
}

export interface FakeDesktop {
  readonly desktop: Desktop
  /** The notices that are shown. */
  readonly shown: ShownNotice[]
  /** The calls, in order. */
  readonly log: string[]
}

/** @param windows the open windows, the last used first */
export function fakeDesktop(
  windows: readonly Window[],
  permission: NotificationPermission = 'granted',
): FakeDesktop {
  const shown: ShownNotice[] = []
  const log: string[] = []
  const registration = {
    showNotification: (title: string, options: Omit<ShownNotice, 'title' | 'close'>) => {
      const it: ShownNotice = { title, ...options, close: () => void shown.splice(shown.indexOf(it), 1) }
      const same = shown.findIndex((other) => other.tag === it.tag)
      if (same >= 0) shown.splice(same, 1)
      shown.push(it)
      log.push(`shown ${title}`)
      return Promise.resolve()
    },
    getNotifications: (filter?: { tag?: string }) =>
      Promise.resolve(shown.filter((it) => !filter?.tag || it.tag === filter.tag)),
  }
  const open = windows.map(({ visibilityState, path, blocksNavigation }) => ({
    visibilityState,
    postMessage(message: ToPage, [port]: MessagePort[] = []) {
      log.push(message.type === 'tick' ? 'tick' : `${message.type} ${message.path}`)
      if (path === undefined || message.type === 'tick') return
      port?.postMessage(message.type === 'go' || path === message.path)
    },
    focus() {
      log.push('focused')
      return Promise.reject(new DOMException('the page has no user activation', 'InvalidAccessError'))
    },
    navigate(to: string) {
      log.push(`navigated to ${to}`)
      return blocksNavigation
        ? Promise.reject(new TypeError('the worker does not control this window'))
        : Promise.resolve(null)
    },
  }))
  const clients = {
    matchAll: () => Promise.resolve(open),
    openWindow: (url: string) => {
      log.push(`opened ${url}`)
      return Promise.resolve(null)
    },
  }
  const desktop = { registration, clients, permission: () => permission }
  return { desktop: desktop as unknown as Desktop, shown, log }
}
