// Load: so many clients who each ask again as soon as they are answered.
import { Agent, request } from 'node:http'

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

function ask(origin: string, { path, token }: Asking, agent: Agent): Promise<void> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return new Promise((done, fail) => {
    request(origin + path, { agent, headers }, (answer) => {
      answer.resume()
      answer.once('end', () =>
        answer.statusCode === 200 ? done() : fail(new Error(`${path} answered ${answer.statusCode}`)),
      )
    })
      .once('error', fail)
      .end()
  })
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/**
 * Asks for `ms`, after a tenth of that to warm up.
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
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const from = performance.now() + ms / 10
  const end = from + ms
  const took: number[] = []
  let n = 0
  const client = async () => {
    for (let began = performance.now(); began < end; began = performance.now()) {
      await ask(origin, next(n++), agent)
      if (began >= from) took.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  agent.destroy()
  const sorted = took.toSorted((a, b) => a - b)
  return {
    p50: at(sorted, 0.5),
    p99: at(sorted, 0.99),
    rate: took.length / (ms / 1000),
    cpu: (cpu() - used) / n,
  }
}
