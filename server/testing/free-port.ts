// A port for a program that a test starts.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** Ports that this process was given, which the system may give again before a program listens there. */
const given = new Set<number>()

/** A port on which nothing listens, another one at each call. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await anyPort()
    if (given.has(port)) continue
    given.add(port)
    return port
  }
}

async function anyPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
