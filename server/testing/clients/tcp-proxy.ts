// A TCP proxy with a fixed address, whose target and speed can change.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { slowness } from './slowness.ts'

export interface TcpProxy {
  readonly port: number
  /** Leads new connections to another port, and breaks those that are open. */
  leadTo(port: number): void
  /** Leads new connections to another port. Open ones remain, as those to a machine that vanished do. */
  leadNewTo(port: number): void
  /** Breaks all connections. */
  cut(): void
  /** Limits the bytes of all clients together. */
  throttle(bytesPerSecond: number): void
  close(): Promise<void>
}

export async function openTcpProxy(target: number): Promise<TcpProxy> {
  let to = target
  const open = new Set<Socket>()
  const pacer = new Pacer()
  const server = createServer((client) => {
    const behind = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      open.add(one)
      one
        .setNoDelay(true)
        .on('error', () => other.destroy())
        .on('close', () => {
          open.delete(one)
          other.destroy()
        })
    }
    behind.pipe(client)
    client.on('end', () => behind.end())
    client.on('data', (bytes) => void pacer.send(client, behind, bytes))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const it of open) it.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      to = port
      cut()
    },
    leadNewTo: (port) => void (to = port),
    cut,
    throttle: (bytesPerSecond) => void (pacer.bytesPerSecond = bytesPerSecond),
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Passes bytes at a rate. */
class Pacer {
  bytesPerSecond = Number.POSITIVE_INFINITY
  /** When the bytes so far are over at the rate, ms of `performance.now()`. */
  #busyUntil = 0

  async send(from: Socket, to: Socket, bytes: Buffer): Promise<void> {
    const isFull = !to.write(bytes)
    const now = performance.now()
    this.#busyUntil = Math.max(this.#busyUntil, now) + (bytes.length / this.bytesPerSecond) * 1000
    const wait = this.#busyUntil - now
    if (!isFull && wait < 1) return
    from.pause()
    if (wait >= 1) await slowness(wait)
    if (to.writableNeedDrain && !to.destroyed)
      await Promise.race([once(to, 'drain'), once(to, 'close')]).catch(() => undefined)
    from.resume()
  }
}
