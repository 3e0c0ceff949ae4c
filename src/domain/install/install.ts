// Installing the app: the browser's offer is kept for a good moment, and asked when the person wants it.
import { installWay, type InstallWay } from './install-way.ts'

/** TypeScript's library does not know it; only Chromium has it. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let offered: InstallPrompt | undefined
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

function isStandalone(): boolean {
  const { standalone } = navigator as { standalone?: boolean }
  return standalone === true || matchMedia('(display-mode: standalone), (display-mode: minimal-ui)').matches
}

/** Called once by main.tsx: the browser offers early, and once. */
export function listenForInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offered = event as InstallPrompt
    tell()
  })
  window.addEventListener('appinstalled', () => {
    offered = undefined
    tell()
  })
}

/** For `useSyncExternalStore`. */
export const install = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  way: (): InstallWay =>
    installWay({
      standalone: isStandalone(),
      offered: offered !== undefined,
      agent: navigator.userAgent,
      touchPoints: navigator.maxTouchPoints,
    }),
  /** Lets the browser ask. An offer can be used once. */
  async ask(): Promise<'accepted' | 'dismissed'> {
    const prompt = offered
    offered = undefined
    const outcome = (await prompt?.prompt())?.outcome ?? 'dismissed'
    tell()
    return outcome
  },
}
