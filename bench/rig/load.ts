// Load: parallel clients that each send the next request after a reply.
import { connect, type Socket } from 'node:net'

export interface LoadOptions {
  readonly path: string
  readonly token?: string
  /** `GET` by default. */
  readonly method?: 'GET' | 'POST' | 'PUT'
  /** Sent as JSON. */
  readonly body?: object
  /** Whether the reply may be compressed, as browsers permit it. */
  readonly compressed?: boolean
}

export interface Figures {
  /** Median and 99th percentile of the reply times, ms. */
  readonly p50: number
  readonly p99: number
  /** Replies per second. */
  readonly rate: number
  /** Processor time of the server for one reply, ms: other work on the machine changes it little. */
  readonly cpu: number
}

/** The end of a reply in parts. */
const LAST_PART = '\r\n0\r\n\r\n'

/**
 * A connection that sends requests and reads replies with a minimum of HTTP: clients share the processors with the
 * server, and Node's own client takes twice the time.
 */
export class HttpConnection {
  readonly #socket: Socket
  /** The head of the reply so far; when it is complete, only missing bytes are counted. */
  #head = ''
  #missingBytes = Number.NaN
  /** The last bytes of a reply in parts, whose length is not announced. */
  #tail: string | undefined
  #resolve: (() => void) | undefined
  #reject: ((why: Error) => void) | undefined

  constructor(origin: string) {
    const { hostname, port } = new URL(origin)
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes))
    this.#socket.on('error', (error) => this.#reject?.(error))
    this.#socket.on('close', () => this.#reject?.(new Error('the connection was closed')))
  }

  /** Sends one request. @throws when it is not answered with 2xx */
  send({ path, token, method = 'GET', body, compressed = false }: LoadOptions): Promise<void> {
    const json = body === undefined ? '' : JSON.stringify(body)
    const headers = [
      `${method} ${path} HTTP/1.1`,
      'host: localhost',
      ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
      ...(compressed ? ['accept-encoding: gzip'] : []),
      ...(json === ''
        ? []
        : ['content-type: application/json', `content-length: ${Buffer.byteLength(json)}`]),
    ]
    return new Promise((done, fail) => {
      this.#head = ''
      this.#missingBytes = Number.NaN
      this.#tail = undefined
      this.#resolve = done
      this.#reject = fail
      this.#socket.write(`${headers.join('\r\n')}\r\n\r\n${json}`)
    })
  }

  #read(bytes: Buffer): void {
    if (this.#tail !== undefined) return this.#readParts(bytes.subarray(-LAST_PART.length).toString('latin1'))
    if (!Number.isNaN(this.#missingBytes)) this.#missingBytes -= bytes.length
    else {
      this.#head += bytes.toString('latin1')
      const end = this.#head.indexOf('\r\n\r\n')
      if (end < 0) return
      if (!/^HTTP\/1\.1 2\d\d /.test(this.#head)) return this.#fail()
      const head = this.#head.slice(0, end)
      if (/\r\ntransfer-encoding: chunked/i.test(head)) return this.#readParts(this.#head.slice(end + 2))
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      if (length === undefined) return this.#fail()
      this.#missingBytes = Number(length) - (this.#head.length - end - 4)
    }
    if (this.#missingBytes <= 0) this.#resolve?.()
  }

  #readParts(bytes: string): void {
    this.#tail = ((this.#tail ?? '') + bytes).slice(-LAST_PART.length)
    if (this.#tail === LAST_PART) this.#resolve?.()
  }

  #fail(): void {
    this.#reject?.(new Error(`answered ${this.#head.slice(0, 300)}`))
  }

  close(): void {
    this.#reject = undefined
    this.#socket.destroy()
  }
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/**
 * Sends requests for `ms`, after a fifth of that as warm-up: each connection plans a prepared statement at its first
 * calls.
 * @param next the nth request
 * @param cpu processor time of the server so far, ms
 */
export async function load(
  origin: string,
  clients: number,
  ms: number,
  next: (n: number) => LoadOptions,
  cpu: () => number,
): Promise<Figures> {
  const used = cpu()
  const from = performance.now() + ms / 5
  const end = from + ms
  const took: number[] = []
  let n = 0
  const client = async () => {
    const connection = new HttpConnection(origin)
    for (let began = performance.now(); began < end; began = performance.now()) {
      await connection.send(next(n++))
      if (began >= from) took.push(performance.now() - began)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: clients }, client))
  const sorted = took.toSorted((a, b) => a - b)
  return {
    p50: at(sorted, 0.5),
    p99: at(sorted, 0.99),
    rate: took.length / (ms / 1000),
    cpu: (cpu() - used) / n,
  }
}
