// A proxy between browser and product: slows, cuts and stalls connections, and records requests.
import { connect, createServer, type Socket } from 'node:net'

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  /** `Upload-Offset` of the request; undefined when it has none. */
  readonly offset: number | undefined
  /** ms since 1970. */
  readonly at: number
  /** Status of its reply; undefined without one. */
  status: number | undefined
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  /** Bytes of the request's body that are still to come. */
  left: number
  /** The latest request. */
  request: RecordedRequest | undefined
  stalled: boolean
}

function read(bytes: Buffer): { request: RecordedRequest; received: number; left: number } {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.subarray(0, end === -1 ? bytes.length : end).toString('latin1')
  const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(head) ?? []
  const number = (name: string): number | undefined => {
    const found = new RegExp(`^${name}: *(\\d+)`, 'im').exec(head)?.[1]
    return found === undefined ? undefined : Number(found)
  }
  const received = end === -1 ? 0 : bytes.length - end - 4
  return {
    request: { method, path, offset: number('upload-offset'), at: Date.now(), status: undefined },
    received,
    left: Math.max(0, (number('content-length') ?? 0) - received),
  }
}

function statusOf(answer: Buffer): number | undefined {
  const found = /^HTTP\/1\.1 (\d{3})/.exec(answer.subarray(0, 16).toString('latin1'))?.[1]
  return found === undefined ? undefined : Number(found)
}

/** By how much a timer may be late without making the line slower, ms. */
const LATE_MS = 50

export class RecordingProxy {
  readonly requests: RecordedRequest[] = []
  readonly #pairs = new Set<Pair>()
  readonly #listener
  #lastActive: Pair | undefined
  #bytesPerSecond = Infinity
  #delay = 0
  /** When the line has sent all that it received, by `performance.now()`. */
  #freeAt = 0
  #bodyBytes = 0

  private constructor(target: number) {
    this.#listener = createServer({ noDelay: true }, (client) => this.#accept(client, target))
  }

  static async to(target: number): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(target)
    await new Promise<void>((done) => proxy.#listener.listen(0, '127.0.0.1', done))
    return proxy
  }

  get url(): string {
    const address = this.#listener.address()
    return `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`
  }

  /** Bytes of uploads that browsers have sent, without heads. */
  get bodyBytes(): number {
    return this.#bodyBytes
  }

  /**
   * Limits the bandwidth of requests and delays replies.
   * @param bytesPerSecond bandwidth of all connections together
   * @param delay delay of each reply, ms: the round trip
   */
  slow(bytesPerSecond: number, delay = 0): void {
    this.#bytesPerSecond = bytesPerSecond
    this.#delay = delay
  }

  /** Resets every connection; new ones are accepted. @returns the time */
  cut(): number {
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy()
      server.destroy()
    }
    return Date.now()
  }

  /** Stalls the connection that sent last: it stays open and no bytes pass. @returns the time */
  stall(): number {
    if (this.#lastActive) {
      this.#lastActive.stalled = true
      this.#lastActive.client.pause()
    }
    return Date.now()
  }

  /** Resets the connection that sent last on the browser's side only; the server still waits. @returns the time */
  resetClient(): number {
    this.#lastActive?.client.resetAndDestroy()
    return Date.now()
  }

  async close(): Promise<void> {
    this.cut()
    await new Promise((done) => this.#listener.close(done))
  }

  #accept(client: Socket, target: number): void {
    const pair: Pair = {
      client,
      server: connect(target, '127.0.0.1'),
      left: 0,
      request: undefined,
      stalled: false,
    }
    this.#pairs.add(pair)
    const { server } = pair
    client.on('error', () => undefined).on('close', () => this.#pairs.delete(pair))
    client.on('end', () => server.end())
    // The end of a connection is delayed as long as the reply before it.
    const later = (run: () => void) => {
      if (!pair.stalled) setTimeout(run, this.#delay)
    }
    server.on('error', () => undefined).on('close', () => later(() => client.destroy()))
    client.on('data', (bytes) => this.#up(pair, bytes))
    server.on('data', (bytes) => {
      if (pair.request) pair.request.status ??= statusOf(bytes)
      later(() => client.writable && client.write(bytes))
    })
  }

  #up(pair: Pair, bytes: Buffer): void {
    if (pair.left > 0) {
      pair.left = Math.max(0, pair.left - bytes.length)
      this.#bodyBytes += bytes.length
      this.#lastActive = pair
    } else {
      const { request, received, left } = read(bytes)
      pair.left = left
      this.#bodyBytes += received
      pair.request = request
      this.requests.push(request)
    }
    if (pair.stalled) return
    pair.server.write(bytes)
    if (this.#bytesPerSecond === Infinity) return
    pair.client.pause()
    const now = performance.now()
    // What a late timer lost is made up for, or a fast line would be slower than its number.
    const from = Math.max(this.#freeAt, now - LATE_MS)
    this.#freeAt = from + (bytes.length / this.#bytesPerSecond) * 1000
    setTimeout(() => pair.stalled || pair.client.resume(), Math.max(0, this.#freeAt - now))
  }
}
