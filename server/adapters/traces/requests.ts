// Makes a span of each request of an application, and names its trace in logs.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import type { Traces } from './traces.ts'

type Factory = NonNullable<FastifyServerOptions['childLoggerFactory']>

export interface RequestTraces {
  /** Begins the span of a request, so that the first line of its log has the trace too. */
  readonly childLoggerFactory: Factory
  /** Call it before all other hooks. */
  addTo(app: FastifyInstance): void
}

interface Options {
  /** Paths that have no spans: probes would be most of them. */
  readonly skips: (url: string) => boolean
  /** Whether the sender of a request may say of which trace it is part. */
  readonly trusts: (address: string) => boolean
}

export function createRequestTraces(traces: Traces, { skips, trusts }: Options): RequestTraces {
  const spans = new WeakMap<IncomingMessage, ReturnType<Traces['request']>>()
  const begin = (raw: IncomingMessage) => {
    const given = trusts(raw.socket.remoteAddress ?? '') ? raw.headers['traceparent'] : undefined
    const span = traces.request(typeof given === 'string' ? given : undefined)
    spans.set(raw, span)
    return span
  }
  return {
    childLoggerFactory(logger, bindings, options, raw) {
      const traced = skips(raw.url ?? '') ? {} : { traceId: begin(raw).traceId }
      return logger.child({ ...bindings, ...traced }, options)
    },
    addTo(app) {
      app.addHook('onRequest', (request, reply, done) => {
        const span = spans.get(request.raw)
        if (!span) return done()
        const { method, routeOptions } = request
        // A method without a route is chosen by clients, but is one of those that Node knows.
        span.name(routeOptions.url === undefined ? method : `${method} ${routeOptions.url}`)
        span.set({
          'http.request.method': method,
          ...(routeOptions.url !== undefined && { 'http.route': routeOptions.url }),
          'todoke.request.id': request.id,
        })
        reply.raw.once('close', () => span.end({ code: 'aborted' }))
        span.enter(done)
      })
      // The end of a body calls from its socket, where no request is the present one.
      app.addHook('preValidation', (request, _, done) => {
        const span = spans.get(request.raw)
        if (span) span.enter(done)
        else done()
      })
      app.addHook('onResponse', (request, reply, done) => {
        const span = spans.get(request.raw)
        span?.set({ 'http.response.status_code': reply.statusCode })
        span?.end(reply.statusCode >= 500 ? { code: String(reply.statusCode) } : undefined)
        done()
      })
    },
  }
}
