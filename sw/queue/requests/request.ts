// Sends one request of the queue with its owner's token and a deadline.
import {
  type ParsedResponse,
  type ReceivedResponse,
  isOwnSuccess,
  type ServerKind,
} from '#contract/response.ts'
import {
  type AnyInput,
  type ApiRequest,
  buildRequest,
  readReply,
  type RequestContext,
  sendRequest,
} from '#contract/client.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import type { Outcome, Clock, Fetch, QueueStore } from '#sw/queue/ports.ts'
import { endOf, Ended, endOfFailure } from './outcome.ts'

/** A connection without a response is closed after this, ms, so that the request is repeated within 15 s. */
export const STALL_MS = 14_500
/** Deadline of a request without bytes, ms. */
const QUICK_MS = 5000
const QUICK_TRIES = 4

/**
 * The deadline of a request without bytes, ms. After a connection is lost, a browser reuses its dead idle connections one
 * by one: a short deadline finds them quickly. A slow network gets the long deadline after a few tries.
 * @param attempts failures in a row before this request
 */
export function deadlineAfter(attempts: number): number {
  return attempts <= QUICK_TRIES ? QUICK_MS : STALL_MS
}

export interface Caller {
  fetch: Fetch
  clock: Clock
  store: Pick<QueueStore, 'session' | 'refused'>
  /** Which server the build calls; this project's when absent. */
  server?: ServerKind
}

export interface ApiCaller extends Caller {
  /** Base of the API, absolute. */
  api: string
}

/** A success of the called server, parsed by its endpoint's schema where it fits. */
export type Reply<E> = Extract<ParsedResponse<ReplyOf<E>>, { is: 'reply' } | { is: 'unreadable' }>

/** The owner's token. Throws `Ended` unless the owner is signed in. */
export async function tokenOf(caller: Caller, ownerId: string): Promise<string> {
  const session = await caller.store.session()
  if (session?.user.id !== ownerId) throw new Ended({ is: 'signedOut' })
  return session.token
}

/**
 * Sends one request (`sendRequest`). Throws `Ended`: `stopped` when `signal` aborts, `lost` when no response came within
 * `deadline` ms or the connection broke.
 */
export async function exchange(
  caller: Caller,
  request: ApiRequest,
  signal: AbortSignal,
  deadline: number,
): Promise<ReceivedResponse> {
  const cut = new AbortController()
  const answered = new AbortController()
  const stop = () => cut.abort()
  if (signal.aborted) throw new Ended({ is: 'stopped' })
  signal.addEventListener('abort', stop, { once: true })
  void caller.clock.sleep(caller.clock.now() + deadline, answered.signal).then(stop)
  try {
    return await sendRequest(caller.fetch, request, { server: caller.server, signal: cut.signal })
  } catch {
    throw new Ended(signal.aborted ? { is: 'stopped' } : { is: 'lost' })
  } finally {
    answered.abort()
    signal.removeEventListener('abort', stop)
  }
}

interface CallOptions extends AnyInput, Pick<RequestContext, 'headers'> {
  /** The longest time to wait for the response, ms. */
  readonly deadline?: number
}

/** Calls an endpoint with the owner's session; returns its reply, or the outcome that another response means. */
export function call<E extends Endpoint>(
  caller: ApiCaller,
  ownerId: string,
  endpoint: E,
  { headers, deadline, ...input }: CallOptions,
  signal: AbortSignal,
): Promise<Outcome<Reply<E>>> {
  const build = (token: string) => buildRequest(endpoint, input, { base: caller.api, token, headers })
  return signed(caller, ownerId, build, { signal, deadline }, (response) => {
    const read = readReply(endpoint, response, caller.server)
    switch (read.is) {
      case 'reply':
      case 'unreadable':
        return { is: 'ok', value: read }
      case 'refusal':
        return endOfFailure(read, response.header, caller.clock.now())
      case 'foreign':
        return endOfFailure(undefined, response.header, caller.clock.now())
      default:
        return read satisfies never
    }
  })
}

/** Removes what an address of the resumable protocol names. A success has no body; otherwise as `call`. */
export function callDelete(
  caller: Caller,
  ownerId: string,
  url: string,
  signal: AbortSignal,
): Promise<Outcome<null>> {
  const build = (token: string) => {
    const headers = { 'Tus-Resumable': '1.0.0', Authorization: `Bearer ${token}` }
    return { url, method: 'DELETE', headers }
  }
  return signed(caller, ownerId, build, { signal }, (response) => {
    if (isOwnSuccess(response, caller.server)) return { is: 'ok', value: null }
    return endOf(response.status, response.body, response.header, caller.clock.now(), caller.server)
  })
}

interface Bounds {
  readonly signal: AbortSignal
  readonly deadline?: number | undefined
}

/** Sends a request with the owner's token; a session that the server refuses is deleted. */
export async function signed<T>(
  caller: Caller,
  ownerId: string,
  build: (token: string) => ApiRequest,
  { signal, deadline = STALL_MS }: Bounds,
  read: (response: ReceivedResponse) => Outcome<T>,
): Promise<Outcome<T>> {
  try {
    const token = await tokenOf(caller, ownerId)
    const end = read(await exchange(caller, build(token), signal, deadline))
    if (end.is === 'signedOut') await caller.store.refused(token, end.closed)
    return end
  } catch (error) {
    if (error instanceof Ended) return error.end
    throw error
  }
}
