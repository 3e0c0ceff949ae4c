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
class Line {
  readonly #socket: Socket
  /** The head of the reply so far; when it is complete, only the number of missing bytes matters. */
  #head = ''
  #rest = Number.NaN
  #answered: (() => void) | undefined
  #failed: ((why: Error) => void) | undefined

  constructor(origin: string) {
    const { hostname, port } = new URL(origin)
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes))
    this.#socket.on('error', (error) => this.#failed?.(error))
    this.#socket.on('close', () => this.#failed?.(new Error('the connection was closed')))
  }

  ask({ path, token }: LoadOptions): Promise<void> {
    const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`
    return new Promise((done, fail) => {
      this.#head = ''
      this.#rest = Number.NaN
      this.#answered = done
      this.#failed = fail
      this.#socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n${authorization}\r\n`)
    })
  }

  #read(bytes: Buffer): void {
    if (!Number.isNaN(this.#rest)) this.#rest -= bytes.length
    else {
      this.#head += bytes.toString('latin1')
      const end = this.#head.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /\r\ncontent-length: (\d+)/i.exec(this.#head)?.[1]
      if (!this.#head.startsWith('HTTP/1.1 200 ') || length === undefined)
        return this.#failed?.(new Error(`answered ${this.#head.slice(0, 80)}`))
      this.#rest = Number(length) - (this.#head.length - end - 4)
    }
    if (this.#rest <= 0) this.#answered?.()
  }

  close(): void {
    this.#failed = undefined
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
    const line = new Line(origin)
    for (let began = performance.now(); began < end; began = performance.now()) {
      await line.ask(next(n++))
      if (began >= from) took.push(performance.now() - began)
    }
    line.close()
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
