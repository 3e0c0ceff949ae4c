// Distinguishes our server's replies from those of proxies, captive portals and other servers.
import * as v from 'valibot'
import type { Schema } from './endpoint.ts'
import { type ErrorCode, errorBody, errorStatus, type FieldCode, fieldCodes } from './errors.ts'

/**
 * A header on every response of our server's API and uploads. Its value is the error's code where a HEAD is answered 403,
 * which has no body; otherwise it has no meaning.
 */
export const RESPONSE_HEADER = 'Todoke-Answer'
/** A request's own id, at most 64 letters, digits, `-` and `_`; our server's response repeats it. */
export const REQUEST_HEADER = 'Todoke-Request'
/** A header of every response of the resumable protocol (tus 1.0.0). */
const TUS_HEADER = 'Tus-Resumable'

/**
 * Which server a build calls. `todoke`: this project's. `specification`: any that has only the calls of section 7 of
 * the specification, whose error bodies are unknown (section 8).
 */
export type ServerKind = 'todoke' | 'specification'

/** @param setting the build's `VITE_SERVER`; everything but `specification` means this project's server */
export const serverKindOf = (setting: string | undefined): ServerKind =>
  setting === 'specification' ? 'specification' : 'todoke'

/** A response's header by its name; null or undefined when it is absent. */
export type HeaderOf = (name: string) => string | null | undefined

/** An HTTP response, read whole. `status` is 0 for a redirect that was not followed. */
export interface ReceivedResponse {
  readonly status: number
  readonly body: string
  readonly header: HeaderOf
}

export interface Refusal {
  readonly is: 'refusal'
  readonly status: number
  /** Undefined when the response names none, or one unknown to this build. */
  readonly code: ErrorCode | undefined
  /** Without the field codes unknown to this build. */
  readonly fields: Readonly<Record<string, FieldCode>> | undefined
}

export type ParsedResponse<T> =
  /** What the endpoint replies; `json` before the schema changed anything. */
  | { readonly is: 'reply'; readonly value: T; readonly json: unknown }
  /** The called server's success, in a form unknown to this build: the server is older or newer. */
  | { readonly is: 'unreadable'; readonly json: unknown }
  | Refusal
  /** The response is not the called server's. */
  | { readonly is: 'foreign' }

const foreign = { is: 'foreign' } as const

/** Whether a response has a header that only our server, or the resumable protocol, sets. */
export function hasOwnHeader(header: HeaderOf): boolean {
  return Boolean(header(RESPONSE_HEADER) ?? header(TUS_HEADER))
}

/** Whether a request's id can be repeated in a response. */
export function isRequestId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value)
}

/**
 * Whether a response names another request than this one: a proxy or a cache has mixed responses up.
 * Servers from before `REQUEST_HEADER` name none.
 */
export function isForAnother(header: HeaderOf, requestId: string): boolean {
  const named = header(REQUEST_HEADER)
  return Boolean(named) && named !== requestId
}

/**
 * Parses the response of a call whose reply is JSON (sections 7 and 8 of the specification).
 * @param reply the schema of the endpoint's reply
 * @param server which server the build calls
 */
export function parseResponse<S extends Schema>(
  reply: S,
  response: ReceivedResponse,
  server: ServerKind = 'todoke',
): ParsedResponse<v.InferOutput<S>> {
  if (!isSuccess(response.status)) return readRefusal(response, server) ?? foreign
  if (isPage(response)) return foreign
  const json = parseJson(response.body)
  const parsed = v.safeParse(reply, json)
  if (parsed.success) return { is: 'reply', value: parsed.output, json }
  if (server === 'specification') return { is: 'unreadable', json }
  // A success never has the body of an error.
  const isOwn = hasOwnHeader(response.header) && json !== undefined && !v.is(anyError, json)
  return isOwn ? { is: 'unreadable', json } : foreign
}

/**
 * Whether a response without a body is the called server's success: one of the resumable protocol, or of a HEAD.
 * @param server which server the build calls
 */
export function isOwnSuccess(response: ReceivedResponse, server: ServerKind = 'todoke'): boolean {
  if (!isSuccess(response.status) || isPage(response)) return false
  return server === 'specification' || hasOwnHeader(response.header)
}

/**
 * Reads a refusal: our error format; without a readable body, a header of our server. A server with only the
 * specification's calls refuses by its status alone.
 * @returns undefined when the called server has not refused anything
 */
export function readRefusal(response: ReceivedResponse, server: ServerKind = 'todoke'): Refusal | undefined {
  const { status, body, header } = response
  if (status < 400) return undefined
  const json = parseJson(body)
  const parsed = v.safeParse(readableError, json)
  if (parsed.success) return refusalOf(status, parsed.output.error)
  const isOwn = body === '' ? isOwnWithoutBody(header) : hasOwnHeader(header) && v.is(anyError, json)
  if (body === '' && isOwn && status === 403) return refusalOf(status, { code: codeIn(header) })
  if (isOwn || (server === 'specification' && !isPage(response))) return refusalOf(status, {})
  return undefined
}

/** The code of a status without a body; `bad_request` for a status that no code has. */
export function codeOfStatus(status: number): ErrorCode {
  const found = Object.entries(errorStatus).find(([, it]) => it === status)
  return (found?.[0] as ErrorCode | undefined) ?? 'bad_request'
}

/** An error of a newer server may have a code or a field code unknown to this build. */
const anyError = v.object({ error: v.object({ code: v.string() }) })

const isKnown = (field: readonly [string, string]): field is [string, FieldCode] =>
  (fieldCodes as readonly string[]).includes(field[1])

/** An error whose code is known. Field codes of a newer server are left out: they must not cost the code. */
const readableError = v.object({
  error: v.object({
    ...errorBody.entries.error.entries,
    fields: v.optional(
      v.pipe(
        v.record(v.string(), v.string()),
        v.transform((all): Refusal['fields'] => Object.fromEntries(Object.entries(all).filter(isKnown))),
      ),
    ),
  }),
})

/** The code of a response without a body; undefined when it names none known to this build. */
function codeIn(header: HeaderOf): ErrorCode | undefined {
  const name = header(RESPONSE_HEADER) ?? ''
  return Object.hasOwn(errorStatus, name) ? (name as ErrorCode) : undefined
}

interface Named {
  readonly code?: ErrorCode | undefined
  readonly fields?: Refusal['fields']
}

function refusalOf(status: number, { code, fields }: Named): Refusal {
  return { is: 'refusal', status, code, fields }
}

/**
 * The response to a HEAD has no body. Our servers from before the header existed name the request and announce the
 * error's JSON there, also where the resumable protocol was not reached.
 */
function isOwnWithoutBody(header: HeaderOf): boolean {
  if (hasOwnHeader(header)) return true
  return Boolean(header('X-Request-Id')) && header('Content-Type') === 'application/json; charset=utf-8'
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** A page for people, which no call responds with. */
function isPage({ body, header }: ReceivedResponse): boolean {
  return /^\s*text\/html\b/i.test(header('Content-Type') ?? '') || body.trimStart().startsWith('<')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
