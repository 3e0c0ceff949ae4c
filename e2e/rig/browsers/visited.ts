// A browser that has been here before: the app's worker is installed and its files are kept. Stories start from a copy,
// since installing it anew costs more than most of them.
import { awake, forget } from './forgetting.ts'
import { Phone } from './phone.ts'
import { freePort } from '#e2e/rig/network/ports.ts'
import { Proxy } from '#e2e/rig/network/proxy.ts'
import type { Server } from '#e2e/rig/network/server.ts'

/** One port for a worker's whole life: what a browser keeps, it keeps for an address. */
export interface Address {
  readonly port: number
  readonly origin: string
  /** The profile of a browser that saw the app there, signed out, forgot all but the worker, and was closed. */
  readonly profile: string
  /** Which worker it has. */
  readonly worker: string
}

/** Opens the app once at an address of its own. */
export async function visited(town: Server): Promise<Address> {
  const port = await freePort()
  const network = await Proxy.to(town.port, port)
  const phone = await Phone.on()
  const origin = network.url
  await phone.page.goto(`${origin}/login`)
  await phone.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await forget(phone, origin)
  const worker = await awake(phone, origin)
  await phone.stop()
  await network.close()
  return { port, origin, profile: phone.profile, worker }
}
