// Load: so many clients who each ask again as soon as they are answered.
import { connect, type Socket } from 'node:net'

export interface Asking {
  readonly path: string
  readonly token?: string
}

export interface Figures {
  /** Milliseconds that half of the answers took at most, and 99 of 100. */
  readonly p50: number
  readonly p99: number
  /** Answers per second. */
  readonly rate: number
  /** Processor time that whoever answers used for one answer, ms: other work on the machine changes it little. */
  readonly cpu: number
}

/**
 * A connection that asks and reads its answer, and knows no more of HTTP than that: clients share the processors with
 * whoever answers, and Node's own client takes twice the time.
 */
class Line {
  readonly #socket: Socket
  /** What has come of the answer until its head is whole; then only how much is to come. */
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

  ask({ path, token }: Asking): Promise<void> {
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
 * Asks for `ms`, after a fifth of that to warm up: each connection plans a kept statement at its first calls.
 * @param next what the nth request asks for
 * @param cpu processor time that whoever answers has used so far, ms
 */
export async function load(
  origin: string,
  clients: number,
  ms: number,
  next: (n: number) => Asking,
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
