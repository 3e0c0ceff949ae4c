// Fallback of the share target without a service worker: redirects to the editor.
import type { FastifyInstance } from 'fastify'
import { SHARE_PATH, type ShareTrouble } from '#contract/paths.ts'

export function redirectShares(app: FastifyInstance): void {
  app.post(SHARE_PATH, async (request, reply) => {
    // The body is read and dropped: a browser shows no reply to a form that it could not send completely.
    request.raw.resume()
    return reply.redirect(`/post/upload2?share=${'away' satisfies ShareTrouble}`, 303)
  })
}
