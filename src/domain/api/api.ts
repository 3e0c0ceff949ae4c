// Calls endpoints: one retry for reads, errors as codes, replies parsed before they are used.
import { type Answer, codeOfStatus, readAnswer, type ServerKind, serverKindOf } from '#contract/answer.ts'
import {
  pathOf,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '#contract/endpoint.ts'
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

type Part<Name extends string, T> = unknown extends T
  ? unknown
  : Record<never, never> extends T
    ? { [name in Name]?: T }
    : { [name in Name]: T }

/** The params, query and body an endpoint wants, and only those. */
export type CallArgs<E> = Part<'params', ParamsOf<E>> & Part<'query', QueryOf<E>> & Part<'body', BodyOf<E>>

interface Ports {
  fetch: (url: string, init: RequestInit) => Promise<Response>
  base: string
  token: () => string | undefined
  /** Which server the build calls; this project's when absent. */
  server?: ServerKind
  /** This page's live connection. */
  socketId?: () => string | undefined
  /** The token to try instead of this one, which was answered "unauthenticated"; undefined when there is none. */
  renewed: (token: string) => Promise<string | undefined>
  /** No token of this device is taken any more, or its person's account waits for its deletion: asked anew, it is known. */
  refused: () => void
}

/** Section 9: a GET answered like this is sent once more. */
const WORTH_RETRYING = new Set([408, 409, 425, 429, 500, 502, 503, 504])
const PATIENCE = 30_000
/** Longer bodies are sent by the page alone: a browser takes 64 KB of all that it is to send for pages that are gone. */
const KEEPALIVE_CHARS = 2000

interface Loose {
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
}

/** Makes `call` from its ports; the app's own is below. Posts travel through the queue; a small file goes as a FormData body. */
export function createCall(ports: Ports) {
  return async function call<E extends Endpoint>(
    endpoint: E,
    args: CallArgs<E>,
    signal?: AbortSignal,
  ): Promise<ReplyOf<E>> {
    const loose = args as Loose
    const url = ports.base + pathOf(endpoint.path, loose.params) + queryText(loose.query)
    const ask = (token: string | undefined) =>
      send(
        ports.fetch,
        url,
        endpoint.method,
        initOf(endpoint, loose, { token, socketId: ports.socketId?.() }),
        signal,
      )
    const read = async (token: string | undefined) => readWhole(endpoint, await ask(token), ports.server)
    const token = ports.token()
    let answer = await read(token)
    let failure = failureOf(answer)
    if (failure?.code === 'unauthenticated' && token !== undefined) {
      // Another tab exchanged the token while this one slept. Nothing was done yet: it is asked once more.
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
    return (answer as Extract<typeof answer, { is: 'reply' }>).value as ReplyOf<E>
  }
}

async function readWhole(
  { reply }: Endpoint,
  response: Response,
  server: ServerKind | undefined,
): Promise<Answer<unknown>> {
  const header = (name: string) => response.headers.get(name)
  const body = await response.text().catch(() => undefined)
  // The connection broke in the middle of the answer.
  if (body === undefined) throw new ApiFailure('offline', 0)
  return readAnswer(reply, { status: response.status, header, body }, server)
}

function queryText(query: Loose['query'] = {}): string {
  const given = Object.entries(query).filter((it) => it[1] !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

interface Speaker {
  token: string | undefined
  socketId: string | undefined
}

function initOf(endpoint: Endpoint, { body }: Loose, { token, socketId }: Speaker): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json' }
  // What this page does itself it need not be told of.
  if (socketId !== undefined && endpoint.method !== 'GET') headers[SOCKET_HEADER] = socketId
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  // The browser itself says where the parts of a form end.
  if (body instanceof FormData) return { method: endpoint.method, headers, body }
  if (endpoint.encoding === 'form')
    return { method: endpoint.method, headers, body: new URLSearchParams(body as Record<string, string>) }
  if (body !== undefined) headers['content-type'] = 'application/json'
  const text = body === undefined ? undefined : JSON.stringify(body)
  return {
    method: endpoint.method,
    headers,
    ...(text !== undefined && { body: text }),
    // What was pressed is sent, though the page be left in the next moment; browsers do this for what is short.
    ...(endpoint.method !== 'GET' && (text?.length ?? 0) <= KEEPALIVE_CHARS && { keepalive: true }),
  }
}

async function send(
  fetch: Ports['fetch'],
  url: string,
  method: Endpoint['method'],
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<Response> {
  for (let left = method === 'GET' ? 1 : 0; ; left--) {
    const patience = AbortSignal.timeout(PATIENCE)
    const stop = signal ? AbortSignal.any([signal, patience]) : patience
    try {
      const response = await fetch(url, { ...init, redirect: 'manual', signal: stop })
      if (left === 0 || !WORTH_RETRYING.has(response.status)) return response
      await response.body?.cancel()
    } catch (error) {
      // Whoever asked has gone away: that is not a failure of the call.
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

/** The token this page speaks with, and who is asked when it is refused. */
export const bearer: Pick<Ports, 'renewed' | 'refused'> & Speaker = {
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
