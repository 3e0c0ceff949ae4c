// One request of the queue: signed by the job's owner, never waiting for ever.
import type * as v from 'valibot'
import {
  type Answer,
  type HttpAnswer,
  isForAnother,
  isOwnSuccess,
  readAnswer,
  REQUEST_HEADER,
  type ServerKind,
} from '#contract/answer.ts'
import type { Schema } from '#contract/endpoint.ts'
import { newId } from '#contract/ids.ts'
import type { Outcome, Clock, Fetch, QueueStore } from '#sw/queue/ports.ts'
import { endOf, Ended, unanswered } from './outcome.ts'

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
  /** Which server the build calls; this project's when absent. */
  server?: ServerKind
}

/** A success of the called server, parsed by its endpoint's schema where it fits. */
export type Reply<S extends Schema> = Extract<
  Answer<v.InferOutput<S>>,
  { is: 'reply' } | { is: 'unreadable' }
>

/** The owner's token. Throws `Ended` when somebody else, or nobody, is signed in. */
export async function tokenOf(caller: Caller, ownerId: string): Promise<string> {
  const session = await caller.store.session()
  if (session?.user.id !== ownerId) throw new Ended({ is: 'signedOut' })
  return session.token
}

/**
 * Sends one request and reads its answer whole; redirects are not followed. Throws `Ended`: `stopped` when `signal`
 * aborts, `lost` when no answer came within `deadline` ms, the connection broke, or the answer is to another request.
 */
export async function exchange(
  caller: Caller,
  url: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  signal: AbortSignal,
  deadline: number,
): Promise<HttpAnswer> {
  const cut = new AbortController()
  const quiet = new AbortController()
  const stop = () => cut.abort()
  if (signal.aborted) throw new Ended({ is: 'stopped' })
  signal.addEventListener('abort', stop, { once: true })
  void caller.clock.sleep(caller.clock.now() + deadline, quiet.signal).then(stop)
  const id = newId()
  // Servers of others need not permit the header to pages of this origin.
  const named = caller.server === 'specification' ? {} : { [REQUEST_HEADER]: id }
  try {
    const headers = { ...init.headers, ...named }
    const asked = { ...init, headers, cache: 'no-store', redirect: 'manual', signal: cut.signal } as const
    const response = await caller.fetch(url, asked)
    const header = (name: string) => response.headers.get(name)
    if (isForAnother(header, id)) throw new Ended(unanswered)
    return { status: response.status, header, body: await response.text() }
  } catch (error) {
    if (error instanceof Ended && !signal.aborted) throw error
    throw new Ended(signal.aborted ? { is: 'stopped' } : { is: 'lost' })
  } finally {
    quiet.abort()
    signal.removeEventListener('abort', stop)
  }
}

interface Asked {
  url: string
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }
  /** The longest its answer is waited for, ms. */
  deadline?: number
}

/** Sends a signed request whose reply is JSON; gives the reply, or the end that another answer means. */
export function call<S extends Schema>(
  caller: Caller,
  ownerId: string,
  reply: S,
  asked: Asked,
  signal: AbortSignal,
): Promise<Outcome<Reply<S>>> {
  return signed(caller, ownerId, asked, signal, (answer) => {
    const read = readAnswer(reply, answer, caller.server)
    return read.is === 'reply' || read.is === 'unreadable' ? read : undefined
  })
}

/** Sends a signed request whose success has no body; otherwise as `call`. */
export function callBare(
  caller: Caller,
  ownerId: string,
  asked: Asked,
  signal: AbortSignal,
): Promise<Outcome<null>> {
  const read = (answer: HttpAnswer) => (isOwnSuccess(answer, caller.server) ? null : undefined)
  return signed(caller, ownerId, asked, signal, read)
}

/** @param read gives what a success means, undefined when the called server has not answered */
async function signed<T>(
  caller: Caller,
  ownerId: string,
  { url, init, deadline = STALL_MS }: Asked,
  signal: AbortSignal,
  read: (answer: HttpAnswer) => T | undefined,
): Promise<Outcome<T>> {
  try {
    const token = await tokenOf(caller, ownerId)
    const headers = { ...init.headers, Authorization: `Bearer ${token}` }
    const answer = await exchange(caller, url, { ...init, headers }, signal, deadline)
    if (answer.status >= 200 && answer.status < 300) {
      const value = read(answer)
      return value === undefined ? unanswered : { is: 'ok', value }
    }
    const end = endOf(answer.status, answer.body, answer.header, caller.clock.now(), caller.server)
    if (end.is === 'signedOut') await caller.store.refused(token, end.closed)
    return end
  } catch (error) {
    if (error instanceof Ended) return error.end
    throw error
  }
}
