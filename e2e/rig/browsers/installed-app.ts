// Installs the app's worker and files in a browser profile. Stories start from a copy of the profile, since
// an installation takes longer than most stories.
import { startWorker, clearBrowser } from './clear-browser.ts'
import { Phone } from './phone.ts'
import { freePort } from '#e2e/rig/network/ports.ts'
import { Proxy } from '#e2e/rig/network/proxy.ts'
import type { Server } from '#e2e/rig/network/server.ts'

/** The installed app. Its port is the same for all stories of a runner, since browsers store data by origin. */
export interface InstalledApp {
  readonly port: number
  readonly origin: string
  /** Profile of a closed browser that opened the app, and of whose data only the worker is left. */
  readonly profile: string
  /** The installed worker and its cached files, as `startWorker` returns them. */
  readonly worker: string
}

/** Opens the app at a free port, so that its worker is installed. */
export async function installApp(server: Server): Promise<InstalledApp> {
  const port = await freePort()
  const network = await Proxy.open(server.port, port)
  const phone = await Phone.launch()
  const origin = network.url
  await phone.page.goto(`${origin}/login`)
  await phone.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await clearBrowser(phone, origin)
  const worker = await startWorker(phone, origin)
  await phone.stop()
  await network.close()
  return { port, origin, profile: phone.profile, worker }
}
