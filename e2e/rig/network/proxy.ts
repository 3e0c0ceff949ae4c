// A TCP proxy in front of the server with faults on demand.
import { once } from 'node:events'
import { createServer, connect, type Server as NetServer, type Socket } from 'node:net'
import { answerBytes, type Fault, Plan, portalBytes, Requests } from './faults.ts'
import { until } from './ports.ts'

interface Pair {
  readonly client: Socket
  readonly server: Socket
  readonly requests: Requests
  /** The fault of the running request, and its withheld bytes. */
  fault: Fault | undefined
  kept: Buffer[]
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
  readonly #plan = new Plan()
  #bytesPerSecond = Infinity
  #sentUp = 0
  #swallowed = 0

  private constructor(target: number) {
    this.#listener = createServer({ noDelay: true }, (client) => this.#accept(client, target))
  }

  /** @param port where it listens; any that is free when none is named */
  static async to(target: number, port = 0): Promise<Proxy> {
    const proxy = new Proxy(target)
    proxy.#listener.listen(port, '127.0.0.1')
    await once(proxy.#listener, 'listening')
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

  /** Resets the open connections; new ones are accepted. */
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

  /** The next request that starts with this reaches the server, and its reply is dropped. */
  swallowAnswerTo(requestLine: string): void {
    this.#swallow = requestLine
  }

  /**
   * Plans a fault for one request.
   * @param line how the request begins
   * @param pass how many requests that begin so pass unharmed before
   */
  once(line: string, fault: Fault, pass = 0): void {
    this.#plan.add(line, fault, pass)
  }

  /** From now on every request that begins so meets the fault, until `end`. */
  begin(line: string, fault: Fault): void {
    this.#plan.begin(line, fault)
    this.reset()
  }

  end(line: string): void {
    this.#plan.end(line)
  }

  /** Planned faults that happened so far. */
  get happened(): number {
    return this.#plan.happened
  }

  /** Nothing is planned any more, and nothing slowed. */
  calm(): void {
    this.#plan.clear()
    this.#bytesPerSecond = Infinity
    this.restore()
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
    const server = connect(target, '127.0.0.1')
    const requests = new Requests()
    const pair: Pair = { client, server, requests, fault: undefined, kept: [], swallow: false, dead: false }
    this.#pairs.add(pair)
    const end = (): void => {
      this.#pairs.delete(pair)
      client.destroy()
      pair.server.destroy()
    }
    for (const side of [client, pair.server]) side.on('error', end).on('close', end)
    client.on('data', (bytes) => this.#up(pair, bytes, target))
    pair.server.on('data', (bytes) => this.#down(pair, bytes))
  }

  #up(pair: Pair, bytes: Buffer, target: number): void {
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
    if (pair.requests.next(bytes)) pair.fault = this.#plan.take(bytes)
    if (!pair.fault) pair.server.write(bytes)
    else befall(pair, pair.fault, bytes, target)
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

/** Does to the bytes of a request what its fault says. */
function befall(pair: Pair, fault: Fault, bytes: Buffer, target: number): void {
  const { client, server, requests } = pair
  switch (fault.is) {
    case 'unheard':
      pair.swallow = true
      server.write(bytes)
      return
    case 'cut':
      server.write(bytes)
      if (requests.body < fault.after) return
      client.resetAndDestroy()
      server.end()
      return
    case 'answered':
      if (requests.isWhole) client.end(answerBytes(fault))
      return
    case 'portal':
      if (requests.isWhole) client.end(portalBytes(fault.status))
      return
    case 'doubled':
      pair.kept.push(bytes)
      if (!requests.isWhole) return
      double(pair, target)
      return
    default:
      fault satisfies never
  }
}

/** Sends the withheld request on a separate connection, waits for its reply, then lets the first one pass. */
function double(pair: Pair, target: number): void {
  const whole = Buffer.concat(pair.kept.splice(0))
  const other = connect(target, '127.0.0.1')
  other.on('error', () => other.destroy())
  other.once('data', () => {
    other.destroy()
    pair.server.write(whole)
  })
  other.write(whole)
}
