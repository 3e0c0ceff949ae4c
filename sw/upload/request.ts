// One request of the queue: signed by the job's owner, never waiting for ever.
import type { Outcome, Clock, Fetch, QueueStore } from './ports.ts'
import { endOf, Ended } from './outcome.ts'

/** A silent connection is given up after this, ms: found and asked anew within 15 s. */
export const STALL_MS = 14_500
/** A question that carries no bytes should be answered sooner, ms. */
const QUICK_MS = 5000
const QUICK_TRIES = 4

/**
 * How long to wait for an answer to a request without bytes. When a line dies silently a browser still holds idle
 * connections that are dead too and offers them one by one: found quickly, they cost little. A line that is merely
 * slow gets its 15 s after a few tries.
 * @param attempts failures in a row before this request
 */
export function patience(attempts: number): number {
  return attempts <= QUICK_TRIES ? QUICK_MS : STALL_MS
}

export interface Caller {
  fetch: Fetch
  clock: Clock
  store: Pick<QueueStore, 'session' | 'refused'>
}

export interface Answer {
  status: number
  headers: Headers
  body: string
}

/** The owner's token. Throws `Ended` when somebody else, or nobody, is signed in. */
export async function tokenOf(caller: Caller, ownerId: string): Promise<string> {
  const session = await caller.store.session()
  if (session?.user.id !== ownerId) throw new Ended({ is: 'signedOut' })
  return session.token
}

/**
 * Sends one request and reads its answer whole. Throws `Ended`: `stopped` when `signal` aborts,
 * `lost` when no answer came within `deadline` ms or the connection broke.
 */
export async function exchange(
  caller: Caller,
  url: string,
  init: RequestInit,
  signal: AbortSignal,
  deadline: number,
): Promise<Answer> {
  const cut = new AbortController()
  const quiet = new AbortController()
  const stop = () => cut.abort()
  if (signal.aborted) throw new Ended({ is: 'stopped' })
  signal.addEventListener('abort', stop, { once: true })
  void caller.clock.sleep(caller.clock.now() + deadline, quiet.signal).then(stop)
  try {
    const response = await caller.fetch(url, { ...init, cache: 'no-store', signal: cut.signal })
    return { status: response.status, headers: response.headers, body: await response.text() }
  } catch {
    throw new Ended(signal.aborted ? { is: 'stopped' } : { is: 'lost' })
  } finally {
    quiet.abort()
    signal.removeEventListener('abort', stop)
  }
}

/** Sends a signed request; gives its successful answer, or the end that another answer means. */
export async function call(
  caller: Caller,
  ownerId: string,
  url: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  signal: AbortSignal,
  deadline = STALL_MS,
): Promise<Outcome<Answer>> {
  try {
    const token = await tokenOf(caller, ownerId)
    const headers = { ...init.headers, Authorization: `Bearer ${token}` }
    const answer = await exchange(caller, url, { ...init, headers }, signal, deadline)
    if (answer.status >= 200 && answer.status < 300) return { is: 'ok', value: answer }
    if (answer.status === 401) await caller.store.refused(token)
    return endOf(answer.status, answer.body, (name) => answer.headers.get(name), caller.clock.now())
  } catch (error) {
    if (error instanceof Ended) return error.end
    throw error
  }
}
