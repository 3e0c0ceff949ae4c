// The method by which this browser installs the app. Pure.

/**
 * `installed`: this page is the installed app. `prompt`: by the browser's prompt. `ios`: by the share menu. `in-app`: the
 * browser of another app, which cannot install. `menu`: by the browser's menu.
 */
export type InstallMethod = 'installed' | 'prompt' | 'ios' | 'in-app' | 'menu'

export interface BrowserFacts {
  /** The page runs in its own window. */
  readonly standalone: boolean
  /** The browser has offered its prompt (`beforeinstallprompt`). */
  readonly offered: boolean
  /** navigator.userAgent */
  readonly agent: string
  readonly touchPoints: number
}

/** Browsers inside other apps: LINE, Instagram, Facebook, X, TikTok. */
const inApp = /\bLine\/|Instagram|FBAN\/|FBAV\/|Twitter for|musical_ly|BytedanceWebview/i

export function installMethod({ standalone, offered, agent, touchPoints }: BrowserFacts): InstallMethod {
  if (standalone) return 'installed'
  if (offered) return 'prompt'
  if (inApp.test(agent)) return 'in-app'
  // An iPad identifies itself as a Mac; no Mac has a touch screen.
  const ios = /iPhone|iPad|iPod/.test(agent) || (agent.includes('Macintosh') && touchPoints > 1)
  return ios ? 'ios' : 'menu'
}
