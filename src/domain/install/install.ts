// Installing the app: the browser's prompt is stored and opened when the person wants it.
import { createSignal } from '#src/lib/store.ts'
import { installWay, type InstallWay } from './install-way.ts'

/** TypeScript's library does not know it; only Chromium has it. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let offered: InstallPrompt | undefined
const changes = createSignal()

function isStandalone(): boolean {
  const { standalone } = navigator as { standalone?: boolean }
  return standalone === true || matchMedia('(display-mode: standalone), (display-mode: minimal-ui)').matches
}

/** Called once by main.tsx: the browser offers early, and once. */
export function listenForInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offered = event as InstallPrompt
    changes.emit()
  })
  window.addEventListener('appinstalled', () => {
    offered = undefined
    changes.emit()
  })
}

export const install = {
  /** The way in which this browser installs the app. */
  way: {
    subscribe: changes.subscribe,
    get: (): InstallWay =>
      installWay({
        standalone: isStandalone(),
        offered: offered !== undefined,
        agent: navigator.userAgent,
        touchPoints: navigator.maxTouchPoints,
      }),
  },
  /** Lets the browser ask. An offer can be used once. */
  async ask(): Promise<'accepted' | 'dismissed'> {
    const prompt = offered
    offered = undefined
    const outcome = (await prompt?.prompt())?.outcome ?? 'dismissed'
    changes.emit()
    return outcome
  },
}
