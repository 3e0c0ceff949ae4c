// Marks every reply of the API and of uploads as this server's.
import type { FastifyInstance } from 'fastify'
import { ANSWER_HEADER, isRequestId, REQUEST_HEADER } from '#contract/answer.ts'
import { isServers } from './unknown-paths.ts'

/** Call before any hook that may answer: refusals carry the headers as well. */
export function signAnswers(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isServers(request.url)) {
      reply.header(ANSWER_HEADER, '1')
      const id = request.headers[REQUEST_HEADER.toLowerCase()]
      if (isRequestId(id)) reply.header(REQUEST_HEADER, id)
    }
    done()
  })
}
