// Marks every reply of the API and of uploads as this server's.
import type { FastifyInstance } from 'fastify'
import { RESPONSE_HEADER, isRequestId, REQUEST_HEADER } from '#contract/response.ts'
import { isServerPath } from './unknown-paths.ts'

/** Call before any hook that may refuse, since refusals have the headers too. */
export function signReplies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isServerPath(request.url)) {
      reply.header(RESPONSE_HEADER, '1')
      const id = request.headers[REQUEST_HEADER.toLowerCase()]
      if (isRequestId(id)) reply.header(REQUEST_HEADER, id)
    }
    done()
  })
}
