// A desktop that obeys: its windows, what is shown on it, and what was done with both.
import type { ToPage } from '#sw/messages.ts'
import type { Desktop } from '#sw/windows.ts'

export interface Shown extends NotificationOptions {
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
  /** The page it shows; without one its app receives no messages. */
  readonly path?: string
  /** The worker may not lead it anywhere. */
  readonly stubborn?: boolean
}

export interface FakeDesktop {
  readonly desktop: Desktop
  /** The notices that are shown now. */
  readonly shown: Shown[]
  /** What happened, in order. */
  readonly said: string[]
}

/** @param windows those that are open, the last used first */
export function fakeDesktop(
  windows: readonly Window[],
  permission: NotificationPermission = 'granted',
): FakeDesktop {
  const shown: Shown[] = []
  const said: string[] = []
  const registration = {
    showNotification: (title: string, options: Omit<Shown, 'title' | 'close'>) => {
      const it: Shown = { title, ...options, close: () => void shown.splice(shown.indexOf(it), 1) }
      const same = shown.findIndex((other) => other.tag === it.tag)
      if (same >= 0) shown.splice(same, 1)
      shown.push(it)
      said.push(`shown ${title}`)
      return Promise.resolve()
    },
    getNotifications: (filter?: { tag?: string }) =>
      Promise.resolve(shown.filter((it) => !filter?.tag || it.tag === filter.tag)),
  }
  const open = windows.map(({ visibilityState, path, stubborn }) => ({
    visibilityState,
    postMessage(message: ToPage, [port]: MessagePort[] = []) {
      said.push(message.type === 'tick' ? 'tick' : `${message.type} ${message.path}`)
      if (path === undefined || message.type === 'tick') return
      port?.postMessage(message.type === 'go' || path === message.path)
    },
    focus() {
      said.push('focused')
      return Promise.reject(new DOMException('not by a press', 'InvalidAccessError'))
    },
    navigate(to: string) {
      said.push(`led to ${to}`)
      return stubborn ? Promise.reject(new TypeError('not mine')) : Promise.resolve(null)
    },
  }))
  const clients = {
    matchAll: () => Promise.resolve(open),
    openWindow: (url: string) => {
      said.push(`opened ${url}`)
      return Promise.resolve(null)
    },
  }
  const desktop = { registration, clients, permission: () => permission }
  return { desktop: desktop as unknown as Desktop, shown, said }
}
