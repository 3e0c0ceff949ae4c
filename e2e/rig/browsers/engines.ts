// The browsers that Playwright does not drive, as stories name them.
import { Firefox, firefoxIsThere } from './firefox.ts'
import type { OtherBrowser } from './other-browser.ts'
import { WebKit, webkitIsThere } from './webkit.ts'

export interface Engine {
  readonly name: string
  readonly isThere: () => boolean
  /** Debian's, that bring it. */
  readonly packages: string
  readonly open: () => Promise<OtherBrowser>
  /** It runs a service worker: the app starts without a network. */
  readonly worker: boolean
  /** It has the Push API. */
  readonly pushes: boolean
}

const firefox = { isThere: firefoxIsThere, packages: 'firefox-esr' }

export const engines: readonly Engine[] = [
  { name: 'Firefox', ...firefox, open: () => Firefox.on(), worker: true, pushes: true },
  {
    name: 'Firefox without service workers',
    ...firefox,
    open: () => Firefox.on({ 'dom.serviceWorkers.enabled': false }),
    worker: false,
    pushes: false,
  },
  {
    name: 'WebKitGTK',
    isThere: webkitIsThere,
    packages: 'webkit2gtk-driver gjs gir1.2-webkit2-4.1 xvfb',
    open: () => WebKit.on(),
    worker: true,
    pushes: false,
  },
]
