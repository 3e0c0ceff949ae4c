// Replies to paths without a route: 404, or 405 if another method has one.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_NOT_FOUND } from '#contract/pages.ts'
import { API_BASE, REALTIME_API_PATH, REALTIME_PATH, TUS_PATH } from '#contract/paths.ts'
import { ApiError, refuse } from './errors.ts'

/** Whether an address is of the server, and never a page of the app. */
export function isServerPath(url: string): boolean {
  const path = url.split('?')[0] ?? ''
  return [API_BASE, TUS_PATH, REALTIME_PATH, REALTIME_API_PATH].some(
    (base) => path === base || path.startsWith(`${base}/`),
  )
}

/** Whether an address is an admin page, which all others receive as not found. */
export function isAdminPage(url: string): boolean {
  return /^\/(?:admin|administration)(?:\/|$)/.test(url.split('?')[0] ?? '')
}

/** Whether a path matches a route: `:name` matches one segment that is not empty, `*` the rest. */
function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const rest = pattern.indexOf('*')
  if (rest === -1 ? pattern.length !== segments.length : segments.length <= rest) return false
  const compared = rest === -1 ? pattern : pattern.slice(0, rest)
  return compared.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))
}

export type HandleUnknownPath = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Records all routes; call it before any is registered. @returns the handler of paths without a route */
export function recordRoutes(app: FastifyInstance): HandleUnknownPath {
  const known: { pattern: readonly string[]; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    if (!isServerPath(url)) return
    known.push({ pattern: url.split('/'), methods: [method].flat() })
  })
  return (request, reply) => {
    const segments = (request.url.split('?')[0] ?? '').split('/')
    const methods = known.filter((it) => matches(it.pattern, segments)).flatMap((it) => it.methods)
    if (methods.length === 0 || methods.includes(request.method)) {
      reply.raw.statusMessage = PAGE_NOT_FOUND
      return refuse(reply, new ApiError('not_found'))
    }
    reply.header('allow', [...new Set(methods)].join(', '))
    return refuse(reply, new ApiError('method_not_allowed'))
  }
}
