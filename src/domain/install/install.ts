// Installs the app: stores the browser's prompt and opens it on request.
import { createSignal } from '#src/lib/store.ts'
import { installMethod, type InstallMethod } from './install-method.ts'

/** The event of Chromium's prompt, which TypeScript's library does not declare. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let stored: InstallPrompt | undefined
const changes = createSignal()

function isStandalone(): boolean {
  const { standalone } = navigator as { standalone?: boolean }
  return standalone === true || matchMedia('(display-mode: standalone), (display-mode: minimal-ui)').matches
}

/** Called once by main.tsx, since the browser offers its prompt soon after the load. */
export function listenForInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    stored = event as InstallPrompt
    changes.emit()
  })
  window.addEventListener('appinstalled', () => {
    stored = undefined
    changes.emit()
  })
}

export const install = {
  /** How this browser installs the app. */
  method: {
    subscribe: changes.subscribe,
    get: (): InstallMethod =>
      installMethod({
        standalone: isStandalone(),
        offered: stored !== undefined,
        agent: navigator.userAgent,
        touchPoints: navigator.maxTouchPoints,
      }),
  },
  /** Opens the browser's prompt. It can be opened once. */
  async prompt(): Promise<'accepted' | 'dismissed'> {
    const prompt = stored
    stored = undefined
    const outcome = (await prompt?.prompt())?.outcome ?? 'dismissed'
    changes.emit()
    return outcome
  },
}
