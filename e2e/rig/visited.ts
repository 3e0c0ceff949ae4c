// A browser that has been here before: the app's worker is installed and its files are kept. Stories start from a copy,
// since installing it anew costs more than most of them.
import { Phone } from './phone.ts'
import { freePort } from './ports.ts'
import { Proxy } from './proxy.ts'
import type { Server } from './server.ts'

/** One port for a worker's whole life: what a browser keeps, it keeps for an address. */
export interface Address {
  readonly port: number
  /** The profile of a browser that saw the app there, signed out, and was closed. */
  readonly profile: string
}

/** Opens the app once at an address of its own. */
export async function visited(town: Server): Promise<Address> {
  const port = await freePort()
  const network = await Proxy.to(town.port, port)
  const phone = await Phone.on()
  await phone.page.goto(`${network.url}/login`)
  await phone.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await phone.stop()
  await network.close()
  return { port, profile: phone.profile }
}
