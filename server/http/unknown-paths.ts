// Paths without a route: 404, or 405 where another method has one.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_BASE, REALTIME_API_PATH, REALTIME_PATH, TUS_PATH } from '#contract/paths.ts'
import { ApiError, refuse } from './errors.ts'

/** Whether an address belongs to the server and never to the app's own router. */
export function isServers(url: string): boolean {
  const path = url.split('?')[0] ?? ''
  return [API_BASE, TUS_PATH, REALTIME_PATH, REALTIME_API_PATH].some(
    (base) => path === base || path.startsWith(`${base}/`),
  )
}

/** Reason phrase of a 404 for an address without a route (specification sections 2 and 8). */
export const PAGE_NOT_FOUND = 'Page not found'

/** Whether an address is a page for admins alone: to everybody else it is answered as not found. */
export function isAdminPage(url: string): boolean {
  return /^\/(?:admin|administration)(?:\/|$)/.test(url.split('?')[0] ?? '')
}

/** Whether a path matches a route: `:name` matches one segment that is not empty, `*` the rest. */
function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  const rest = pattern.indexOf('*')
  if (rest === -1 ? pattern.length !== segments.length : segments.length <= rest) return false
  const compared = rest === -1 ? pattern : pattern.slice(0, rest)
  return compared.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))
}

export type AnswerUnknown = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Call before any route is registered: it learns them as they come. */
export function learnRoutes(app: FastifyInstance): AnswerUnknown {
  const known: { pattern: readonly string[]; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    if (!isServers(url)) return
    known.push({ pattern: url.split('/'), methods: [method].flat() })
  })
  return (request, reply) => {
    const segments = (request.url.split('?')[0] ?? '').split('/')
    const methods = known.filter((it) => fits(it.pattern, segments)).flatMap((it) => it.methods)
    if (methods.length === 0 || methods.includes(request.method)) {
      reply.raw.statusMessage = PAGE_NOT_FOUND
      return refuse(reply, new ApiError('not_found'))
    }
    reply.header('allow', [...new Set(methods)].join(', '))
    return refuse(reply, new ApiError('method_not_allowed'))
  }
}
