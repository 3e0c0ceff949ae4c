// A browser with the app's worker and its files installed. Stories start from a copy, since installing takes longer
// than most of them.
import { startWorker, clearBrowser } from './clear-browser.ts'
import { Phone } from './phone.ts'
import { freePort } from '#e2e/rig/network/ports.ts'
import { Proxy } from '#e2e/rig/network/proxy.ts'
import type { Server } from '#e2e/rig/network/server.ts'

/** One port for a worker's whole life: what a browser keeps, it keeps for an address. */
export interface InstalledApp {
  readonly port: number
  readonly origin: string
  /** The profile of a browser that opened the app there, signed out, cleared all but the worker, and was closed. */
  readonly profile: string
  /** Which worker it has. */
  readonly worker: string
}

/** Opens the app once at an address of its own. */
export async function installApp(server: Server): Promise<InstalledApp> {
  const port = await freePort()
  const network = await Proxy.to(server.port, port)
  const phone = await Phone.on()
  const origin = network.url
  await phone.page.goto(`${origin}/login`)
  await phone.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await clearBrowser(phone, origin)
  const worker = await startWorker(phone, origin)
  await phone.stop()
  await network.close()
  return { port, origin, profile: phone.profile, worker }
}
