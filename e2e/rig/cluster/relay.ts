// A TCP relay: an address that can move to another server, and a slow network.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export class Relay {
  readonly #listener: Server
  readonly #sockets = new Set<Socket>()
  #target: number
  #bytesPerSecond = Number.POSITIVE_INFINITY
  /** When the bytes that were sent so far are over at this rate, ms of `performance.now()`. */
  #busyUntil = 0
  #sent = 0

  private constructor(target: number) {
    this.#target = target
    this.#listener = createServer((client) => this.#pass(client))
  }

  /** @param target port on this machine */
  static async open(target: number): Promise<Relay> {
    const relay = new Relay(target)
    await once(relay.#listener.listen(0, '127.0.0.1'), 'listening')
    return relay
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port
  }

  /** Bytes from clients that it has passed on. */
  get sent(): number {
    return this.#sent
  }

  /** Limits the bytes from all clients together. */
  throttle(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond
  }

  /** Ends all connections, and passes new ones to another port. */
  moveTo(target: number): void {
    this.#target = target
    this.cut()
  }

  /** Ends all connections. */
  cut(): void {
    for (const it of this.#sockets) it.destroy()
  }

  async close(): Promise<void> {
    this.cut()
    await new Promise((done) => this.#listener.close(done))
  }

  #pass(client: Socket): void {
    const server = connect(this.#target, '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from)
      from.setNoDelay(true)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
    }
    server.pipe(client)
    client.on('end', () => server.end())
    client.on('data', (bytes) => void this.#send(client, server, bytes))
  }

  async #send(client: Socket, server: Socket, bytes: Buffer): Promise<void> {
    this.#sent += bytes.length
    const isFull = !server.write(bytes)
    const now = performance.now()
    this.#busyUntil = Math.max(this.#busyUntil, now) + (bytes.length / this.#bytesPerSecond) * 1000
    const wait = this.#busyUntil - now
    if (!isFull && wait < 1) return
    client.pause()
    if (wait >= 1) await pause(wait)
    if (server.writableNeedDrain) await Promise.race([once(server, 'drain'), once(server, 'close')])
    client.resume()
  }
}
