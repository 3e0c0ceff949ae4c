// Calls endpoints: one retry for reads, errors as codes, replies parsed before they are used.
import {
  type ParsedResponse,
  codeOfStatus,
  type ReceivedResponse,
  type ServerKind,
  serverKindOf,
} from '#contract/response.ts'
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
import { waitBeforeRepeat } from '#contract/repeated-reads.ts'
import { delay } from '#device/delay.ts'

/**
 * Codes of the server, and those of the client. `offline`: no reply. `foreign`: a reply of another program in place of
 * the server, such as a captive portal. `unreadable`: a reply that does not match this build's schema.
 */
export type FailureCode = ErrorCode | 'offline' | 'foreign' | 'unreadable'

/** A call that did not succeed. `status` is 0 when the server did not answer. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: FailureCode
  readonly status: number
  readonly fields: Readonly<Record<string, FieldCode>>
  /** By which the log of the server names the request; absent without a reply of it. */
  requestId?: string | null | undefined

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
  /** Methods and paths that the build configures, by the names of their endpoints. */
  calls?: Readonly<Record<string, Pick<Endpoint, 'method' | 'path'>>> | undefined
  /** Id of this page's live connection. */
  socketId?: () => string | undefined
  /** Returns the token to try in place of a refused one; undefined when there is none. */
  renewed: (token: string) => Promise<string | undefined>
  /**
   * Called when the server refuses every token of this device or the account may no longer be used. The next
   * get-session shows which.
   */
  refused: () => void
}

const TIMEOUT_MS = 30_000
/** Longest wait for a refused read, ms: an overloaded server asks for up to 10 s. */
const PATIENCE_MS = 15_000
/** Longest body sent with `keepalive`; browsers limit the sum of such bodies to 64 KB. */
const MAX_KEEPALIVE_CHARS = 2000

/** Creates `call` from its ports. Posts are sent by the queue; a small file is sent as FormData. */
export function createCall(ports: Ports) {
  return async function call<E extends Endpoint>(
    endpoint: E,
    args: CallInput<E>,
    signal?: AbortSignal,
  ): Promise<ReplyOf<E>> {
    let requestId: string | null | undefined
    const read = async (token: string | undefined) => {
      const context = { base: ports.base, token, headers: liveHeader(endpoint, ports.socketId?.()) }
      const configured = ports.calls ? { ...endpoint, ...ports.calls[endpoint.name] } : endpoint
      const request = buildRequest(configured, args as AnyInput, context)
      const response = await send(ports, request, signal)
      requestId = response.header('X-Request-Id')
      return readReply(endpoint, response, ports.server)
    }
    const token = ports.token()
    let response = await read(token)
    let failure = failureOf(response)
    if (failure?.code === 'unauthenticated' && token !== undefined) {
      // Another tab exchanged the token while this one was frozen. The server changed nothing, so the request is repeated.
      const renewed = await ports.renewed(token)
      if (renewed !== undefined) {
        response = await read(renewed)
        failure = failureOf(response)
      }
      if (failure?.code === 'unauthenticated') ports.refused()
    }
    // The account was closed elsewhere or suspended.
    if (failure?.code === 'leaving' || failure?.code === 'suspended') ports.refused()
    if (failure) throw Object.assign(failure, { requestId })
    return (response as Extract<typeof response, { is: 'reply' }>).value
  }
}

/** Header with this page's live connection, so that the server does not send the change back. */
function liveHeader({ method }: Endpoint, socketId: string | undefined): Record<string, string> {
  return socketId === undefined || method === 'GET' ? {} : { [SOCKET_HEADER]: socketId }
}

/** Whether the browser finishes the request although its page is closed. */
function hasKeepalive({ method, body = '' }: ApiRequest): boolean {
  return method !== 'GET' && typeof body === 'string' && body.length <= MAX_KEEPALIVE_CHARS
}

async function send(
  { fetch, server }: Ports,
  request: ApiRequest,
  signal: AbortSignal | undefined,
): Promise<ReceivedResponse> {
  for (let left = request.method === 'GET' ? 1 : 0; ; left--) {
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const combined = signal ? AbortSignal.any([signal, timeout]) : timeout
    try {
      const options = { server, signal: combined, keepalive: hasKeepalive(request) }
      const response = await sendRequest(fetch, request, options)
      const facts = { now: Date.now(), random: Math.random(), patience: PATIENCE_MS }
      const wait = left === 0 ? undefined : waitBeforeRepeat(response, facts)
      if (wait === undefined) return response
      await delay(wait, signal)
    } catch (error) {
      // The caller has aborted, which is not a failure of the call.
      if (signal?.aborted) throw error
      if (left === 0) throw new ApiFailure('offline', 0)
    }
  }
}

function failureOf(response: ParsedResponse<unknown>): ApiFailure | undefined {
  switch (response.is) {
    case 'reply':
      return undefined
    case 'unreadable':
      return new ApiFailure('unreadable', 200)
    case 'foreign':
      return new ApiFailure('foreign', 0)
    case 'refusal':
      return new ApiFailure(response.code ?? codeOfStatus(response.status), response.status, response.fields)
    default:
      return response satisfies never
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

/** Base URL of the API, also of files that images and videos load. */
export const apiBase: string = import.meta.env.VITE_API_BASE ?? API_BASE

const sharedPorts = {
  fetch: (url: string, init: RequestInit) => fetch(url, init),
  base: apiBase,
  server: serverKindOf(import.meta.env.VITE_SERVER),
  calls: import.meta.env.VITE_AUTH_CALLS,
  socketId: () => bearer.socketId,
}

export const call = createCall({
  ...sharedPorts,
  token: () => bearer.token,
  renewed: (token) => bearer.renewed(token),
  refused: () => bearer.refused(),
})

/** A call with a given token, without renewal. */
export const callWith = (token: string) =>
  createCall({ ...sharedPorts, token: () => token, renewed: async () => undefined, refused: () => {} })

/** Whether a call failed without a reply of the server. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiFailure && (error.code === 'offline' || error.code === 'foreign')
}

/** URL of the server to open in a tab; behind a captive portal it shows the portal. */
export const connectionCheck: string = apiBase + getHealth.path

/** Whether a read failed because the resource does not exist or its id is invalid. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiFailure && ['not_found', 'gone', 'invalid'].includes(error.code)
}
