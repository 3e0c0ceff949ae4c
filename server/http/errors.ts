// API errors: one shape, `{ error: { code, fields? } }`, with the status of the contract's list.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BaseIssue } from 'valibot'
import { RESPONSE_HEADER } from '#contract/response.ts'
import { API_BASE } from '#contract/paths.ts'
import { healthEndpoints } from '#contract/probes.ts'
import { isDatabaseGone } from '#server/adapters/database/connecting.ts'
import { OutcomeUnknown } from '#server/adapters/database/outcome.ts'
import { isStoreGone } from '#server/adapters/s3/store-gone.ts'
import { errorPage, wantsPage } from './failures/error-page.ts'
import { type ErrorBody, type ErrorCode, errorStatus, type FieldCode, fieldCodes } from '#contract/errors.ts'

const HTML = 'text/html; charset=utf-8'

export type Fields = Record<string, FieldCode>

/** An expected refusal. Only its code and fields are sent to the client. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly fields: Fields | undefined
  /** The status of the code, unless a protocol requires another one. */
  readonly status: number

  constructor(code: ErrorCode, fields?: Fields, status: number = errorStatus[code]) {
    super(code)
    this.name = 'ApiError'
    this.code = code
    this.fields = fields
    this.status = status
  }
}

/** A limit is exceeded; the reply has the time after which to retry. */
export class RateLimited extends ApiError {
  /** Seconds. */
  readonly retryAfter: number

  /** @param ms time until the next try */
  constructor(ms: number, code: 'rate_limited' | 'sign_in_paused' = 'rate_limited') {
    super(code)
    this.retryAfter = Math.ceil(ms / 1000)
  }
}

/** A limit of automatic help is exceeded. Its status is final for queues, which would otherwise repeat it for a day. */
export class TooFast extends ApiError {
  readonly pace: 'hour_limit' | 'day_limit' | 'follow_limit'
  /** Seconds. */
  readonly retryAfter: number

  /** @param ms time until the next try */
  constructor(pace: TooFast['pace'], ms: number) {
    super(pace)
    this.pace = pace
    this.retryAfter = Math.ceil(ms / 1000)
  }
}

/** The disk is full, or has less than the required free space; the reply has the time after which to retry. */
export class StorageFull extends ApiError {
  /** Seconds. */
  readonly retryAfter = 15

  constructor() {
    super('storage_full')
  }
}

/** What requests need is gone for now: it starts again, or another one takes its place. */
class Gone extends ApiError {
  /** Seconds: a promotion takes some. */
  readonly retryAfter = 5
  readonly what: 'database' | 'object store'

  constructor(what: Gone['what']) {
    super('unavailable')
    this.what = what
  }
}

const known = new Set<string>(fieldCodes)

/** Converts valibot's issues to one code per field, that of its first issue. */
export function fieldsOf(issues: readonly BaseIssue<unknown>[]): Fields {
  const fields: Fields = {}
  for (const issue of issues) {
    const name = issue.path?.map((step) => String(step.key)).join('.') ?? ''
    const missing = issue.input === undefined || (issue.kind === 'schema' && issue.received === 'undefined')
    const code = known.has(issue.message) ? (issue.message as FieldCode) : missing ? 'required' : 'malformed'
    if (!Object.hasOwn(fields, name)) fields[name] = code
  }
  return fields
}

const byFrameworkCode: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'bad_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media',
  FST_REQ_FILE_TOO_LARGE: 'too_large',
  FST_FILES_LIMIT: 'too_large',
  FST_PARTS_LIMIT: 'too_large',
  FST_FIELDS_LIMIT: 'too_large',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'bad_request',
  FST_PROTO_VIOLATION: 'bad_request',
  FST_MP_PREMATURE_CLOSE: 'body_incomplete',
}

/** Error codes of a full disk and an exceeded disk quota; 53100 is that of PostgreSQL. */
const diskFull = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** Codes of PostgreSQL for a damaged page and a damaged index. */
const damaged = new Set(['XX001', 'XX002'])
const isDamage = (error: FastifyError): boolean => damaged.has(codeOf(error))

/** The code of an error, or of the database's reply that it wraps. */
const codeOf = ({ code, cause }: FastifyError): string =>
  (cause as { code?: string } | undefined)?.code ?? code

/** The refusal for an error; undefined for an unexpected error of the server. */
function refusalOf(error: FastifyError): ApiError | undefined {
  if (error instanceof ApiError) return error
  if (diskFull.has(codeOf(error))) return new StorageFull()
  // A repeated request finds out what was written.
  if (isDatabaseGone(error) || error instanceof OutcomeUnknown) return new Gone('database')
  if (isStoreGone(error)) return new Gone('object store')
  const code = byFrameworkCode[error.code]
  if (code) return new ApiError(code)
  if (error instanceof SyntaxError && error.statusCode === 400) return new ApiError('bad_json')
  const status = error.statusCode ?? 500
  // Players request ranges, and read the status instead of the code.
  if (status === 412 || status === 416) return new ApiError('bad_request', undefined, status)
  return status >= 400 && status < 500 ? new ApiError('bad_request') : undefined
}

export function refuse(reply: FastifyReply, error: ApiError): FastifyReply {
  const body: ErrorBody = {
    error: error.fields ? { code: error.code, fields: error.fields } : { code: error.code },
  }
  reply.header('cache-control', 'no-store')
  // A reply to HEAD has no body, so a header has the code.
  if (reply.request.method === 'HEAD' && error.status === 403) reply.header(RESPONSE_HEADER, error.code)
  return reply.code(error.status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = refusalOf(error)
    if (refusal instanceof Gone) request.log.error({ err: error }, `the ${refusal.what} does not reply`)
    else if (refusal) request.log.info({ code: refusal.code, fields: refusal.fields }, 'refused')
    else request.log.error({ err: error }, isDamage(error) ? 'the database is damaged' : 'failed')
    // The plugin that serves files sets this header for a range outside the file.
    const length = (error as { headers?: Record<string, string> }).headers?.['Content-Range']
    if (length !== undefined) reply.header('content-range', length)
    if (refusal && 'retryAfter' in refusal) reply.header('retry-after', refusal.retryAfter)
    const isOurs = !refusal || refusal instanceof Gone
    if (isOurs && wantsPage(request.headers.accept))
      return reply
        .code(refusal?.status ?? 500)
        .header('cache-control', 'no-store')
        .type(HTML)
        .send(errorPage(request.id))
    return refuse(reply, refusal ?? new ApiError('internal'))
  })
}

const healthPaths = new Set<string>(healthEndpoints.map((it) => API_BASE + it.path))

/** Whether a URL is of the health of the server: it is answered in every state. */
export const isHealthUrl = (url: string): boolean => healthPaths.has(url.split('?')[0] ?? '')

/**
 * A server that is stopping refuses new requests; running ones continue. Before that, each reply closes its connection,
 * so that the next request of the client opens one to another server.
 */
export function refuseWhileDraining(
  app: FastifyInstance,
  draining: { readonly now: boolean; readonly soon: boolean },
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (draining.soon) reply.header('connection', 'close')
    if (!draining.now || isHealthUrl(request.url)) return
    reply.header('retry-after', '2').header('connection', 'close')
    throw new ApiError('unavailable')
  })
}
