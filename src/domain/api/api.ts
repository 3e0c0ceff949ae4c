// Calls endpoints: one retry for reads, errors as codes, replies parsed before they are used.
import {
  type Answer,
  codeOfStatus,
  type HttpAnswer,
  type ServerKind,
  serverKindOf,
} from '#contract/answer.ts'
import {
  type AnyInput,
  type ApiRequest,
  buildRequest,
  type CallInput,
  type Fetch,
  readReply,
  sendRequest,
} from '#contract/client.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import type { ErrorCode, FieldCode } from '#contract/errors.ts'
import { getHealth } from '#contract/health.ts'
import { API_BASE, SOCKET_HEADER } from '#contract/paths.ts'

/**
 * What the client itself finds. `offline`: there was no answer. `foreign`: something else answered in the server's
 * place. `unreadable`: the server answered in a form that this build does not know.
 */
export type FailureCode = ErrorCode | 'offline' | 'foreign' | 'unreadable'

/** A call that did not succeed. `status` is 0 when the server did not answer. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: FailureCode
  readonly status: number
  readonly fields: Readonly<Record<string, FieldCode>>

  constructor(code: FailureCode, status: number, fields: Record<string, FieldCode> = {}) {
    super(code)
    this.code = code
    this.status = status
    this.fields = fields
  }
}

interface Ports {
  fetch: Fetch
  base: string
  token: () => string | undefined
  /** Which server the build calls; this project's when absent. */
  server?: ServerKind
  /** This page's live connection. */
  socketId?: () => string | undefined
  /** The token to try instead of this one, which was answered "unauthenticated"; undefined when there is none. */
  renewed: (token: string) => Promise<string | undefined>
  /**
   * The server refuses every token of this device, or the account waits for its deletion: the next request shows
   * which.
   */
  refused: () => void
}

/** Section 9: a GET answered like this is sent once more. */
const WORTH_RETRYING = new Set([408, 409, 425, 429, 500, 502, 503, 504])
const PATIENCE = 30_000
/** Longer bodies are sent by the page alone: a browser takes 64 KB of all that it is to send for pages that are gone. */
const KEEPALIVE_CHARS = 2000

/** Makes `call` from its ports; the app's own is below. Posts travel through the queue; a small file goes as a FormData body. */
export function createCall(ports: Ports) {
  return async function call<E extends Endpoint>(
    endpoint: E,
    args: CallInput<E>,
    signal?: AbortSignal,
  ): Promise<ReplyOf<E>> {
    const read = async (token: string | undefined) => {
      const context = { base: ports.base, token, headers: liveHeader(endpoint, ports.socketId?.()) }
      const request = buildRequest(endpoint, args as AnyInput, context)
      return readReply(endpoint, await send(ports, request, signal), ports.server)
    }
    const token = ports.token()
    let answer = await read(token)
    let failure = failureOf(answer)
    if (failure?.code === 'unauthenticated' && token !== undefined) {
      // Another tab exchanged the token while this one was frozen. Nothing was done yet: the request is repeated once.
      const renewed = await ports.renewed(token)
      if (renewed !== undefined) {
        answer = await read(renewed)
        failure = failureOf(answer)
      }
      if (failure?.code === 'unauthenticated') ports.refused()
    }
    // The account was given up elsewhere, or shut: this page learns of it here.
    if (failure?.code === 'leaving' || failure?.code === 'suspended') ports.refused()
    if (failure) throw failure
    return (answer as Extract<typeof answer, { is: 'reply' }>).value
  }
}

/** Names this page's live connection in a change, so that the server does not send the change back to it. */
function liveHeader({ method }: Endpoint, socketId: string | undefined): Record<string, string> {
  return socketId === undefined || method === 'GET' ? {} : { [SOCKET_HEADER]: socketId }
}

/** Browsers send a short change although its page is closed in the next moment. */
function isKeptAlive({ method, body = '' }: ApiRequest): boolean {
  return method !== 'GET' && typeof body === 'string' && body.length <= KEEPALIVE_CHARS
}

async function send(
  { fetch, server }: Ports,
  request: ApiRequest,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  for (let left = request.method === 'GET' ? 1 : 0; ; left--) {
    const patience = AbortSignal.timeout(PATIENCE)
    const stop = signal ? AbortSignal.any([signal, patience]) : patience
    try {
      const options = { server, signal: stop, keepalive: isKeptAlive(request) }
      const answer = await sendRequest(fetch, request, options)
      if (left === 0 || !WORTH_RETRYING.has(answer.status)) return answer
    } catch (error) {
      // The caller has aborted: that is not a failure of the call.
      if (signal?.aborted) throw error
      if (left === 0) throw new ApiFailure('offline', 0)
    }
  }
}

function failureOf(answer: Answer<unknown>): ApiFailure | undefined {
  switch (answer.is) {
    case 'reply':
      return undefined
    case 'unreadable':
      return new ApiFailure('unreadable', 200)
    case 'foreign':
      return new ApiFailure('foreign', 0)
    case 'refusal':
      return new ApiFailure(answer.code ?? codeOfStatus(answer.status), answer.status, answer.fields)
    default:
      return answer satisfies never
  }
}

/** The token of this page, and the handlers of its refusal. */
export const bearer: Pick<Ports, 'renewed' | 'refused'> & {
  token: string | undefined
  socketId: string | undefined
} = {
  token: undefined,
  socketId: undefined,
  renewed: async () => undefined,
  refused: () => {},
}

/** Where the API is: files that images and videos load by themselves have addresses below it. */
export const apiBase: string = import.meta.env.VITE_API_BASE ?? API_BASE

const world = {
  fetch: (url: string, init: RequestInit) => fetch(url, init),
  base: apiBase,
  server: serverKindOf(import.meta.env.VITE_SERVER),
  socketId: () => bearer.socketId,
}

export const call = createCall({
  ...world,
  token: () => bearer.token,
  renewed: (token) => bearer.renewed(token),
  refused: () => bearer.refused(),
})

/** Calls with this very token, and takes a refusal as it is. */
export const callWith = (token: string) =>
  createCall({ ...world, token: () => token, renewed: async () => undefined, refused: () => {} })

/** Whether a call failed because the server did not answer it: nothing did, or something else. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiFailure && (error.code === 'offline' || error.code === 'foreign')
}

/** A page of the server to open in a tab: where a captive portal answers in its place, the portal shows there. */
export const connectionCheck: string = apiBase + getHealth.path

/** Whether a read failed because there is no such thing, or the id in the address cannot be one. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiFailure && ['not_found', 'gone', 'invalid'].includes(error.code)
}
