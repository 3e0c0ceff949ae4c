// A TCP proxy in front of the server that misbehaves on demand, so that faults are real to browser and worker alike.
import { createServer, connect, type Server as NetServer, type Socket } from 'node:net'
import { until } from './ports.ts'

interface Pair {
  readonly client: Socket
  readonly server: Socket
  /** The answer to the request under way is thrown away and the connection reset. */
  swallow: boolean
  /** Takes bytes for ever and passes none. */
  dead: boolean
}

export class Proxy {
  #open = true
  #busiest: Pair | undefined
  #pairs = new Set<Pair>()
  #listener: NetServer
  #swallow: string | undefined
  readonly #instead = new Map<string, Buffer>()
  #bytesPerSecond = Infinity
  #sentUp = 0
  #swallowed = 0

  private constructor(target: number) {
    this.#listener = createServer({ noDelay: true }, (client) => this.#accept(client, target))
  }

  static async to(target: number): Promise<Proxy> {
    const proxy = new Proxy(target)
    await new Promise<void>((done) => proxy.#listener.listen(0, '127.0.0.1', done))
    return proxy
  }

  get url(): string {
    const address = this.#listener.address()
    if (!address || typeof address === 'string') throw new Error('the proxy does not listen')
    return `http://127.0.0.1:${address.port}`
  }

  /** Bytes that came from browsers so far. */
  get sentUp(): number {
    return this.#sentUp
  }

  /** Waits until browsers have sent this much in all. */
  async passed(bytes: number): Promise<void> {
    await until(async () => (this.#sentUp > bytes ? true : undefined), `${bytes} bytes to pass`)
  }

  /** Answers thrown away so far. */
  get swallowed(): number {
    return this.#swallowed
  }

  /** Resets every connection and refuses new ones, as a phone in a tunnel sees it. */
  cut(): void {
    this.#open = false
    this.reset()
  }

  /** The connection that sent last stays open and nothing passes on it any more: the silent stall. */
  hang(): void {
    if (this.#busiest) this.#busiest.dead = true
  }

  /** New connections are taken again. */
  restore(): void {
    this.#open = true
  }

  /** Resets the connections that stand now; new ones are taken. */
  reset(): void {
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy()
      server.destroy()
    }
    this.#pairs.clear()
  }

  /** Limits what browsers send, all connections together sharing nothing: each gets this much. */
  throttle(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond
  }

  /** The next request that starts so reaches the server, and its answer reaches nobody. */
  swallowAnswerTo(requestLine: string): void {
    this.#swallow = requestLine
  }

  /** From now on this script is what a path gives, as if it had been deployed. */
  deploy(path: string, script: string): void {
    const body = Buffer.from(script)
    const head =
      'HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\nCache-Control: no-cache\r\n' +
      `Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`
    this.#instead.set(`GET ${path} `, Buffer.concat([Buffer.from(head), body]))
  }

  async close(): Promise<void> {
    this.reset()
    await new Promise((done) => this.#listener.close(done))
  }

  #accept(client: Socket, target: number): void {
    if (!this.#open) {
      client.resetAndDestroy()
      return
    }
    const pair: Pair = { client, server: connect(target, '127.0.0.1'), swallow: false, dead: false }
    this.#pairs.add(pair)
    const end = (): void => {
      this.#pairs.delete(pair)
      client.destroy()
      pair.server.destroy()
    }
    for (const side of [client, pair.server]) side.on('error', end).on('close', end)
    client.on('data', (bytes) => this.#up(pair, bytes))
    pair.server.on('data', (bytes) => this.#down(pair, bytes))
  }

  #up(pair: Pair, bytes: Buffer): void {
    this.#sentUp += bytes.length
    this.#busiest = pair
    if (pair.dead) return
    for (const [line, answer] of this.#instead)
      if (bytes.includes(line)) {
        pair.client.end(answer)
        return
      }
    if (this.#swallow && bytes.includes(this.#swallow)) {
      pair.swallow = true
      this.#swallow = undefined
    }
    pair.server.write(bytes)
    if (this.#bytesPerSecond === Infinity) return
    pair.client.pause()
    setTimeout(() => pair.client.resume(), (bytes.length / this.#bytesPerSecond) * 1000)
  }

  #down(pair: Pair, bytes: Buffer): void {
    if (pair.dead) return
    if (!pair.swallow) {
      pair.client.write(bytes)
      return
    }
    this.#swallowed += 1
    pair.client.resetAndDestroy()
    pair.server.destroy()
  }
}
