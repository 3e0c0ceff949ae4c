// The client of the contract: builds requests from endpoints, sends them, and parses responses.
import {
  type ParsedResponse,
  type ReceivedResponse,
  isForAnother,
  parseResponse,
  REQUEST_HEADER,
  type ServerKind,
} from './response.ts'
import { pathOf, type BodyOf, type Endpoint, type ParamsOf, type QueryOf, type ReplyOf } from './endpoint.ts'
import { newId } from './ids.ts'

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

type Part<Name extends string, T> = unknown extends T
  ? unknown
  : Record<never, never> extends T
    ? { [name in Name]?: T }
    : { [name in Name]: T }

/** The params, query and body that an endpoint takes, and only those. */
export type CallInput<E> = Part<'params', ParamsOf<E>> & Part<'query', QueryOf<E>> & Part<'body', BodyOf<E>>

/** The input of any endpoint. */
export interface AnyInput {
  /** Values for `:name` in the endpoint's path. */
  readonly params?: Readonly<Record<string, string>> | undefined
  /** Entries that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  /** `FormData` is sent as it is; everything else in the endpoint's encoding. */
  readonly body?: unknown
}

export interface RequestContext {
  /** The address of the API, without a slash at its end. */
  readonly base: string
  /** The session's token; absent for a request without a session. */
  readonly token?: string | undefined
  /** Headers beyond those of the contract. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A request, ready to be sent. */
export interface ApiRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Blob | FormData | URLSearchParams | null
}

/**
 * Builds the request that calls an endpoint (section 7 of the specification).
 * Throws TypeError when the path has a parameter that the input lacks.
 */
export function buildRequest(
  endpoint: Endpoint,
  { params, query, body }: AnyInput,
  { base, token, headers }: RequestContext,
): ApiRequest {
  const encoded = encode(endpoint, body)
  return {
    url: base + pathOf(endpoint.path, params) + queryText(query),
    method: endpoint.method,
    headers: {
      ...headers,
      Accept: 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      // The browser adds the type of a form, with the boundary of its parts.
      ...(typeof encoded === 'string' && { 'Content-Type': 'application/json' }),
    },
    ...(encoded !== undefined && { body: encoded }),
  }
}

export interface SendOptions {
  /** Which server the build calls; this project's when absent. */
  readonly server?: ServerKind | undefined
  readonly signal?: AbortSignal
  /** The browser sends the request although its page is closed. */
  readonly keepalive?: boolean
}

/** Returned in place of a response to another request; `parseResponse` finds it foreign. */
const foreignResponse: ReceivedResponse = { status: 0, header: () => null, body: '' }

/**
 * Sends a request once and reads its response whole. Redirects are not followed, and HTTP caches are not read. A response
 * that names another request has status 0.
 * Throws what `fetch` throws: the connection broke, also within the response, or `signal` aborted.
 */
export async function sendRequest(
  fetch: Fetch,
  { url, ...request }: ApiRequest,
  { server, ...options }: SendOptions = {},
): Promise<ReceivedResponse> {
  const id = newId()
  // Other servers need not permit the header to pages of this origin.
  const named = server === 'specification' ? {} : { [REQUEST_HEADER]: id }
  const headers = { ...request.headers, ...named }
  const response = await fetch(url, {
    ...request,
    ...options,
    headers,
    cache: 'no-store',
    redirect: 'manual',
  })
  const header = (name: string) => response.headers.get(name)
  if (isForAnother(header, id)) return foreignResponse
  return { status: response.status, header, body: await response.text() }
}

/**
 * Parses the response of an endpoint: its reply, a refusal in our error format, or a response that is not the
 * called server's (`parseResponse`).
 * @param server which server the build calls; this project's when absent
 */
export function readReply<E extends Endpoint>(
  endpoint: E,
  response: ReceivedResponse,
  server?: ServerKind,
): ParsedResponse<ReplyOf<E>> {
  return parseResponse(endpoint.reply, response, server) as ParsedResponse<ReplyOf<E>>
}

function encode({ encoding }: Endpoint, body: unknown): string | FormData | URLSearchParams | undefined {
  if (body === undefined || body instanceof FormData) return body
  return encoding === 'form' ? new URLSearchParams(body as Record<string, string>) : JSON.stringify(body)
}

function queryText(query: AnyInput['query'] = {}): string {
  const given = Object.entries(query).filter((it) => it[1] !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
