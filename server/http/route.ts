// Registers endpoints of the contract: checks the caller, parses the request and the reply.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { type Area, areas } from '#contract/administration/areas.ts'
import type { Audience, Endpoint, Schema } from '#contract/endpoint.ts'
import { API_BASE } from '#contract/paths.ts'
import { ApiError, fieldsOf } from './errors.ts'
import type { RateLimit } from './limits.ts'
import { dropFiles, readMultipart, type ReceivedFile, type TemporaryFiles } from './multipart.ts'
import { memberOf, memberOrLeavingOf, staffOf, type Viewer } from './viewer.ts'

type Parsed<S> = S extends Schema ? v.InferOutput<S> : undefined

export interface Call<P, Q, B> {
  readonly params: Parsed<P>
  readonly query: Parsed<Q>
  readonly body: Parsed<B>
  /** File parts of a multipart body; removed after the handler unless it moved them. */
  readonly files: readonly ReceivedFile[]
  readonly viewer: Viewer | null
  readonly request: FastifyRequest
}

/** As `Call`, for endpoints whose audience is members. */
export interface MemberCall<P, Q, B> extends Call<P, Q, B> {
  readonly viewer: Viewer
}

export interface RouteOptions {
  readonly rateLimit?: RateLimit
  readonly temporary?: TemporaryFiles
}

interface Registered<P extends Schema, Q extends Schema, B extends Schema, R extends Schema> extends Endpoint<
  P,
  Q,
  B,
  R
> {}

/** Registers an endpoint; its audience decides who may call it. */
export function route<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  app: FastifyInstance,
  endpoint: Registered<P, Q, B, R>,
  handler: (call: Call<P, Q, B>) => Promise<v.InferInput<R>>,
  options: RouteOptions = {},
): void {
  const area = areaOf(endpoint.audience)
  app.route({
    method: endpoint.method,
    url: API_BASE + endpoint.path,
    config: {
      ...(options.rateLimit ? { rateLimit: options.rateLimit } : {}),
      upload: endpoint.encoding === 'multipart',
    },
    async handler(request, reply) {
      if (endpoint.audience !== 'open' && recordsOf(endpoint, request) === null) callerOf(endpoint, request)
      if (area) staffOf(request, area)
      const { fields, files } = await bodyOf(request, endpoint, options)
      try {
        const call: Call<P, Q, B> = {
          params: parse(endpoint.params, request.params) as Parsed<P>,
          query: parse(endpoint.query, request.query) as Parsed<Q>,
          body: parse(endpoint.body, fields) as Parsed<B>,
          files,
          viewer: request.viewer,
          request,
        }
        const result = v.parse(endpoint.reply, await handler(call))
        reply.header('cache-control', 'no-store')
        return result
      } finally {
        if (options.temporary) await dropFiles(files, options.temporary)
      }
    },
  })
}

/** Registers an endpoint for people with a session, whom the handler receives as `viewer`. */
export function memberRoute<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  app: FastifyInstance,
  endpoint: Registered<P, Q, B, R>,
  handler: (call: MemberCall<P, Q, B>) => Promise<v.InferInput<R>>,
  options: RouteOptions = {},
): void {
  route(app, endpoint, (call) => handler({ ...call, viewer: callerOf(endpoint, call.request) }), options)
}

/** Registers an endpoint of a person's own records, also for an account that is leaving or suspended. */
export function recordsRoute<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  app: FastifyInstance,
  endpoint: Registered<P, Q, B, R>,
  handler: (call: Call<P, Q, B> & { readonly personId: string }) => Promise<v.InferInput<R>>,
): void {
  route(app, endpoint, (call) => {
    const personId = recordsOf(endpoint, call.request) ?? callerOf(endpoint, call.request).id
    return handler({ ...call, personId })
  })
}

const recordsOf = (endpoint: { whileSuspended?: boolean }, request: FastifyRequest): string | null =>
  endpoint.whileSuspended ? request.recordsOf : null

/** The area of an endpoint for staff; undefined for every other one. */
const areaOf = (audience: Audience): Area | undefined => areas.find((area) => audience === `staff:${area}`)

const callerOf = (endpoint: { whileLeaving?: boolean }, request: FastifyRequest): Viewer =>
  endpoint.whileLeaving ? memberOrLeavingOf(request) : memberOf(request)

async function bodyOf(
  request: FastifyRequest,
  endpoint: { encoding?: 'json' | 'multipart' | 'form'; files?: readonly string[] },
  options: RouteOptions,
): Promise<{ fields: unknown; files: readonly ReceivedFile[] }> {
  if (endpoint.encoding !== 'multipart') return { fields: request.body, files: [] }
  if (!options.temporary) throw new TypeError('a multipart endpoint needs `temporary` for its files')
  return readMultipart(request, endpoint.files ?? [], options.temporary)
}

function parse(schema: Schema | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const parsed = v.safeParse(schema, value ?? {})
  if (!parsed.success) throw new ApiError('invalid', fieldsOf(parsed.issues))
  return parsed.output
}
