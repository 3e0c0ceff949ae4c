// A TCP proxy in front of the server with faults on demand.
import { once } from 'node:events'
import { createServer, connect, type Server as NetServer, type Socket } from 'node:net'
import { replyBytes, type Fault, Plan, portalBytes, Requests } from './faults.ts'
import { until } from './ports.ts'

interface Pair {
  readonly client: Socket
  readonly server: Socket
  readonly requests: Requests
  /** The fault of the current request, and its withheld bytes. */
  fault: Fault | undefined
  withheld: Buffer[]
  /** The reply to the current request is dropped, and the connection reset. */
  dropReply: boolean
  /** The connection stays open, and no bytes pass. */
  stalled: boolean
}

export class Proxy {
  #open = true
  #lastActive: Pair | undefined
  #pairs = new Set<Pair>()
  #listener: NetServer
  #dropReplyTo: string | undefined
  readonly #deployed = new Map<string, Buffer>()
  readonly #plan = new Plan()
  #bytesPerSecond = Infinity
  #bytesSent = 0
  readonly #listeners: (() => void)[] = []
  #droppedReplies = 0

  private constructor(target: number) {
    this.#listener = createServer({ noDelay: true }, (client) => this.#accept(client, target))
  }

  /** Opens a proxy. @param port its port; any free one by default */
  static async open(target: number, port = 0): Promise<Proxy> {
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

  /** Bytes that browsers have sent so far. */
  get bytesSent(): number {
    return this.#bytesSent
  }

  /** Calls this at each part that a browser sends. */
  whenSent(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Waits until browsers have sent more than this many bytes in total. */
  async waitUntilSent(bytes: number): Promise<void> {
    await until(async () => (this.#bytesSent > bytes ? true : undefined), `${bytes} bytes to pass`)
  }

  /** Number of replies dropped so far. */
  get droppedReplies(): number {
    return this.#droppedReplies
  }

  /** Resets every connection and refuses new ones, as in a tunnel. */
  cut(): void {
    this.#open = false
    this.reset()
  }

  /** Stalls the connection that sent last: it stays open, and no bytes pass. */
  stall(): void {
    if (this.#lastActive) this.#lastActive.stalled = true
  }

  /** Accepts new connections again. */
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

  /** Limits the bandwidth from browsers, for each connection separately. */
  throttle(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond
  }

  /** Lets the next request with this line reach the server, and drops its reply. */
  dropReplyTo(requestLine: string): void {
    this.#dropReplyTo = requestLine
  }

  /**
   * Plans a fault for one request.
   * @param requestLine beginning of the request line
   * @param skip number of matching requests that pass unchanged before
   */
  once(requestLine: string, fault: Fault, skip = 0): void {
    this.#plan.add(requestLine, fault, skip)
  }

  /** Applies the fault to every matching request, until `end`. */
  begin(requestLine: string, fault: Fault): void {
    this.#plan.begin(requestLine, fault)
    this.reset()
  }

  end(requestLine: string): void {
    this.#plan.end(requestLine)
  }

  /** Number of planned faults so far. */
  get faultCount(): number {
    return this.#plan.faultCount
  }

  /** Removes all planned faults and the bandwidth limit, and accepts connections. */
  clearFaults(): void {
    this.#plan.clear()
    this.#bytesPerSecond = Infinity
    this.restore()
  }

  /** Serves this script at a path from now on, as after a deployment. */
  deploy(path: string, script: string): void {
    const body = Buffer.from(script)
    const head =
      'HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\nCache-Control: no-cache\r\n' +
      `Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`
    this.#deployed.set(`GET ${path} `, Buffer.concat([Buffer.from(head), body]))
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
    const pair: Pair = {
      client,
      server,
      requests,
      fault: undefined,
      withheld: [],
      dropReply: false,
      stalled: false,
    }
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
    this.#bytesSent += bytes.length
    for (const it of this.#listeners) it()
    this.#lastActive = pair
    if (pair.stalled) return
    for (const [requestLine, answer] of this.#deployed)
      if (bytes.includes(requestLine)) {
        pair.client.end(answer)
        return
      }
    if (this.#dropReplyTo && bytes.includes(this.#dropReplyTo)) {
      pair.dropReply = true
      this.#dropReplyTo = undefined
    }
    if (pair.requests.next(bytes)) pair.fault = this.#plan.next(bytes)
    if (!pair.fault) pair.server.write(bytes)
    else applyFault(pair, pair.fault, bytes, target)
    if (this.#bytesPerSecond === Infinity) return
    pair.client.pause()
    setTimeout(() => pair.client.resume(), (bytes.length / this.#bytesPerSecond) * 1000)
  }

  #down(pair: Pair, bytes: Buffer): void {
    if (pair.stalled) return
    if (!pair.dropReply) {
      pair.client.write(bytes)
      return
    }
    this.#droppedReplies += 1
    pair.client.resetAndDestroy()
    pair.server.destroy()
  }
}

/** Applies the fault of a request to its bytes. */
function applyFault(pair: Pair, fault: Fault, bytes: Buffer, target: number): void {
  const { client, server, requests } = pair
  switch (fault.is) {
    case 'reply-dropped':
      pair.dropReply = true
      server.write(bytes)
      return
    case 'cut':
      server.write(bytes)
      if (requests.body < fault.after) return
      client.resetAndDestroy()
      server.end()
      return
    case 'answered':
      if (requests.isComplete) client.end(replyBytes(fault))
      return
    case 'portal':
      if (requests.isComplete) client.end(portalBytes(fault.status))
      return
    case 'doubled':
      pair.withheld.push(bytes)
      if (!requests.isComplete) return
      sendTwice(pair, target)
      return
    case 'delayed':
      pair.withheld.push(bytes)
      if (!requests.isComplete) return
      setTimeout(() => server.write(Buffer.concat(pair.withheld.splice(0))), fault.ms)
      return
    default:
      fault satisfies never
  }
}

/** Sends the withheld request on a separate connection, waits for the reply, then sends it on the first. */
function sendTwice(pair: Pair, target: number): void {
  const request = Buffer.concat(pair.withheld.splice(0))
  const other = connect(target, '127.0.0.1')
  other.on('error', () => other.destroy())
  other.once('data', () => {
    other.destroy()
    pair.server.write(request)
  })
  other.write(request)
}
