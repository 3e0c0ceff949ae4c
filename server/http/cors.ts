// CORS for the operator's configured origins, with bearer tokens and never with cookies.
import type { FastifyInstance } from 'fastify'
import { RESPONSE_HEADER, REQUEST_HEADER } from '#contract/response.ts'
import { API_BASE, TUS_PATH } from '#contract/paths.ts'
import { PARTS_HEADER } from '#contract/uploads/parts.ts'

const allowedHeaders = [
  'Act-Number',
  'Authorization',
  'Content-Digest',
  'Content-Type',
  'Idempotency-Key',
  REQUEST_HEADER,
  'Tus-Resumable',
  'Upload-Defer-Length',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'X-HTTP-Method-Override',
  'X-Requested-With',
  'X-Socket-ID',
]
const exposedHeaders = [
  'Date',
  'Location',
  'Retry-After',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  RESPONSE_HEADER,
  REQUEST_HEADER,
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  PARTS_HEADER,
  'X-Request-Id',
]

export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith(API_BASE) && !request.url.startsWith(TUS_PATH)) return
    reply.header('vary', 'Origin')
    const origin = request.headers.origin
    if (origin === undefined || !origins.includes(origin)) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', exposedHeaders.join(', '))
    reply.header('cross-origin-resource-policy', 'cross-origin')
    if (request.method !== 'OPTIONS') return
    reply.header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
    reply.header('access-control-allow-headers', allowedHeaders.join(', '))
    reply.header('access-control-max-age', '86400')
    if (!request.url.startsWith(TUS_PATH)) return reply.code(204).send()
  })
}
