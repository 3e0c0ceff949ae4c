// Routes of resumable uploads at /upload-chunking-2 (specification section 7).
// They speak tus 1.0, with a bearer token on every request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TUS_PATH } from '#contract/paths.ts'
import { capabilityPath, PART_BYTES, PARTS_HEADER, partsPath } from '#contract/uploads/parts.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberOf } from '#server/http/viewer.ts'
import { refusalOf } from './refusals.ts'
import { capabilityHandler, partHandler, storedPartsHandler } from './parts.ts'
import { patchHandler } from './patch.ts'
import { PROTOCOL_TYPE } from './receiving.ts'
import { bodyOf, tusRequest } from './request.ts'
import { type CallContext, createTus, type Tus } from './tus.ts'

export function uploadRoutes(app: FastifyInstance, deps: Deps): void {
  const tus = createTus(deps)
  const { uploads, uploadsBegun } = deps.settings.limits
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.method === 'POST') await deps.storage.room.mustHave()
    return handleByTus(deps, tus, request, reply)
  }
  const methods = [
    { method: ['POST'], config: { rateLimit: uploadsBegun, upload: true }, handler },
    { method: ['HEAD', 'DELETE', 'OPTIONS'], config: { rateLimit: uploads, upload: true }, handler },
    {
      method: ['PATCH'],
      config: { rateLimit: uploads, upload: true },
      handler: patchHandler(deps, tus.store),
    },
  ]
  app.register(async (scope) => {
    // The body stays on the socket: it is streamed to the disk, never parsed.
    scope.removeAllContentTypeParsers()
    scope.addHook('preHandler', async (request) => refuseExtensions(request))
    scope.addContentTypeParser(PROTOCOL_TYPE, (_request, _payload, done) => done(null))
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const url of [TUS_PATH, `${TUS_PATH}/:id`]) {
      for (const it of methods) scope.route({ ...it, url })
    }
    const config = { rateLimit: uploads, upload: true }
    const parts = storedPartsHandler(deps, tus.store)
    scope.route({ method: 'GET', url: partsPath(':id'), config, handler: parts })
    scope.route({
      method: 'PUT',
      url: `${partsPath(':id')}/:no`,
      config,
      handler: partHandler(deps, tus.store),
    })
    scope.route({ method: 'POST', url: capabilityPath(':id'), config, handler: capabilityHandler(deps) })
  })
}

/** Refuses extensions of the protocol that are not offered, so that no client relies on them. */
function refuseExtensions({ headers }: FastifyRequest): void {
  if (headers['upload-concat'] !== undefined) throw new ApiError('not_implemented')
  // Without the extension no algorithm is known (tus 1.0.0: 400). Ignoring it would leave a wrong body unnoticed.
  if (headers['upload-checksum'] !== undefined) throw new ApiError('bad_request')
}

async function handleByTus(
  { metrics }: Pick<Deps, 'metrics'>,
  tus: Tus,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const context: CallContext = { userId: request.method === 'OPTIONS' ? '' : memberOf(request).id }
  const body = request.method === 'POST' ? bodyOf(request.raw) : undefined
  const webRequest = tusRequest(request.raw, body)
  tus.setContext(webRequest, context)
  const response = await tus.server.handleWeb(webRequest)
  if (body) metrics.uploaded(body.passed())
  body?.discard()
  for (const [name, value] of response.headers) {
    if (!name.startsWith('access-control-') && name !== 'content-length') reply.header(name, value)
  }
  if (response.status >= 400) {
    reply.removeHeader('content-type')
    throw refusalOf(response.status, context.cause)
  }
  if (context.takesParts) reply.header(PARTS_HEADER, PART_BYTES)
  reply.header('cache-control', 'no-store')
  return reply.code(response.status).send((await response.text()) || undefined)
}
