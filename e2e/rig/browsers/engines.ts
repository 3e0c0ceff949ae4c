// Browsers that Playwright does not drive, with their names in the titles of stories.
import { Firefox, isFirefoxInstalled } from './firefox.ts'
import type { OtherBrowser } from './other-browser.ts'
import { WebKit, isWebkitInstalled } from './webkit.ts'

export interface Engine {
  readonly name: string
  readonly isInstalled: () => boolean
  /** The Debian packages that contain it. */
  readonly packages: string
  readonly open: () => Promise<OtherBrowser>
  /** Whether it runs a service worker, so that the app starts without network. */
  readonly worker: boolean
  /** Whether it has the Push API. */
  readonly pushes: boolean
}

const firefox = { isInstalled: isFirefoxInstalled, packages: 'firefox-esr' }

export const engines: readonly Engine[] = [
  { name: 'Firefox', ...firefox, open: () => Firefox.launch(), worker: true, pushes: true },
  {
    name: 'Firefox without service workers',
    ...firefox,
    open: () => Firefox.launch({ 'dom.serviceWorkers.enabled': false }),
    worker: false,
    pushes: false,
  },
  {
    name: 'WebKitGTK',
    isInstalled: isWebkitInstalled,
    packages: 'webkit2gtk-driver gjs gir1.2-webkit2-4.1 xvfb',
    open: () => WebKit.launch(),
    worker: true,
    pushes: false,
  },
]
