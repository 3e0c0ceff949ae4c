// Ports for programs of tests, each given once on a machine.
import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

/** Ports below those of outgoing connections, so that the system gives none of them to another program. */
const [FIRST, COUNT] = [10_000, 5000]
/**
 * Each port has a second one as its lock, on which the process that was given the port listens until it ends. The system
 * gives it to one process at a time, and takes it back from a killed one, which a file as the lock would outlive.
 */
const LOCKS = FIRST + COUNT

/** Listens on a port of this machine. @returns undefined when another process does */
const listenAt = (port: number): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', () => resolve(undefined))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server))
  })

const close = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()))

/** A port on which nothing listens, another one at each call. Until this process ends, no other process is given it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const at = randomInt(COUNT)
    const lock = await listenAt(LOCKS + at)
    if (!lock) continue
    lock.unref()
    // A program that knows no locks may have the port, or one that outlives the process that was given it.
    const probe = await listenAt(FIRST + at)
    if (probe) {
      await close(probe)
      return FIRST + at
    }
    await close(lock)
  }
}
