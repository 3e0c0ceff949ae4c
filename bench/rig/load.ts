// Load: parallel clients that each send the next request after a reply.
import { connect, type Socket } from 'node:net'

export interface LoadOptions {
  readonly path: string
  readonly token?: string
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

/**
 * A connection that sends requests and reads replies with a minimum of HTTP: clients share the processors with the
 * server, and Node's own client takes twice the time.
 */
class HttpConnection {
  readonly #socket: Socket
  /** The head of the reply so far; when it is complete, only missing bytes are counted. */
  #head = ''
  #missingBytes = Number.NaN
  #resolve: (() => void) | undefined
  #reject: ((why: Error) => void) | undefined

  constructor(origin: string) {
    const { hostname, port } = new URL(origin)
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes))
    this.#socket.on('error', (error) => this.#reject?.(error))
    this.#socket.on('close', () => this.#reject?.(new Error('the connection was closed')))
  }

  get({ path, token }: LoadOptions): Promise<void> {
    const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`
    return new Promise((done, fail) => {
      this.#head = ''
      this.#missingBytes = Number.NaN
      this.#resolve = done
      this.#reject = fail
      this.#socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n${authorization}\r\n`)
    })
  }

  #read(bytes: Buffer): void {
    if (!Number.isNaN(this.#missingBytes)) this.#missingBytes -= bytes.length
    else {
      this.#head += bytes.toString('latin1')
      const end = this.#head.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /\r\ncontent-length: (\d+)/i.exec(this.#head)?.[1]
      if (!this.#head.startsWith('HTTP/1.1 200 ') || length === undefined)
        return this.#reject?.(new Error(`answered ${this.#head.slice(0, 80)}`))
      this.#missingBytes = Number(length) - (this.#head.length - end - 4)
    }
    if (this.#missingBytes <= 0) this.#resolve?.()
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
      await connection.get(next(n++))
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
