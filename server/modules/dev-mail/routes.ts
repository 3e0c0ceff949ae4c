// Routes of /dev/mail: emails of a server without a relay, for developers. Not in production.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import { emailPage, listPage, notFoundPage, style } from './pages.ts'

const MAX_LISTED = 100

const pagePolicy =
  "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"
/** The email runs no scripts and loads no files; its links open in the window that frames it. */
const emailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox"

function send(reply: FastifyReply, type: 'html' | 'css', policy: string, body: string): FastifyReply {
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .type(`text/${type}; charset=utf-8`)
    .send(body)
}

const idOf = (request: FastifyRequest): string => {
  const parsed = v.safeParse(v.object({ id }), request.params)
  return parsed.success ? parsed.output.id : ''
}

export function devMailRoutes(app: FastifyInstance, { mailFolder }: Deps): void {
  if (!mailFolder) return

  app.get('/dev/mail', async (_, reply) =>
    send(reply, 'html', pagePolicy, listPage(await mailFolder.list(MAX_LISTED))),
  )

  app.get('/dev/mail/style.css', async (_, reply) => send(reply, 'css', pagePolicy, style))

  app.get('/dev/mail/:id', async (request, reply) => {
    const mail = await mailFolder.find(idOf(request))
    if (mail) return send(reply, 'html', pagePolicy, emailPage(mail))
    return send(reply.code(404), 'html', pagePolicy, notFoundPage())
  })

  app.get('/dev/mail/:id/html', async (request, reply) => {
    const mail = await mailFolder.find(idOf(request))
    if (!mail) return send(reply.code(404), 'html', pagePolicy, notFoundPage())
    // The page of the email shows this in a frame.
    reply.removeHeader('x-frame-options')
    return send(reply, 'html', emailPolicy, mail.html.replace('<head>', '<head><base target="_top">'))
  })
}
