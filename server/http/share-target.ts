// Fallback of the share target where no worker is installed: leads to the editor.
import type { FastifyInstance } from 'fastify'
import { SHARE_PATH, type ShareTrouble } from '#contract/paths.ts'

export function answerShares(app: FastifyInstance): void {
  app.post(SHARE_PATH, async (request, reply) => {
    // The files are read to nowhere: a browser shows no answer to a form that was not taken to its end.
    request.raw.resume()
    return reply.redirect(`/post/upload2?share=${'away' satisfies ShareTrouble}`, 303)
  })
}
