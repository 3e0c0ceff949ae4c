// How the app can be put on this device's home screen. Pure.

/**
 * `installed`: this page is the installed app. `ask`: the browser has offered to ask. `ios`: by the share menu.
 * `in-app`: another app's own browser, which can install nothing. `menu`: by the browser's menu.
 */
export type InstallWay = 'installed' | 'ask' | 'ios' | 'in-app' | 'menu'

export interface Surroundings {
  /** The page is in its own window. */
  readonly standalone: boolean
  /** The browser has offered to ask (`beforeinstallprompt`). */
  readonly offered: boolean
  /** navigator.userAgent */
  readonly agent: string
  readonly touchPoints: number
}

/** Browsers inside other apps: LINE, Instagram, Facebook, X, TikTok. */
const inApp = /\bLine\/|Instagram|FBAN\/|FBAV\/|Twitter for|musical_ly|BytedanceWebview/i

export function installWay({ standalone, offered, agent, touchPoints }: Surroundings): InstallWay {
  if (standalone) return 'installed'
  if (offered) return 'ask'
  if (inApp.test(agent)) return 'in-app'
  // An iPad calls itself a Mac; no Mac has a touch screen.
  const ios = /iPhone|iPad|iPod/.test(agent) || (agent.includes('Macintosh') && touchPoints > 1)
  return ios ? 'ios' : 'menu'
}
