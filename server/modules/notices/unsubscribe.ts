// Routes by which the recipient of an advertising email withdraws the consent, without signing in.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { Deps } from '#server/deps.ts'
import { UNSUBSCRIBE_PATH, unsubscribed } from '#server/services/notices/unsubscribe-token.ts'
import { withdrawConsent } from '#server/store/notices/consents.ts'
import { donePage, invalidPage, offerPage, style } from './unsubscribe-pages.ts'

const params = v.object({ token: v.pipe(v.string(), v.maxLength(100)) })
/** Longest form, bytes. */
const MAX_FORM = 4096
const policy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

function send(reply: FastifyReply, type: 'html' | 'css', body: string): FastifyReply {
  return (
    reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      // The address is a right to change a setting.
      .header('referrer-policy', 'no-referrer')
      .type(`text/${type}; charset=utf-8`)
      .send(body)
  )
}

/**
 * The address of `List-Unsubscribe`: mail programs POST to it by themselves (RFC 8058). A GET only offers the button, since
 * programs that check links of emails open them too.
 */
export function unsubscribeRoutes(app: FastifyInstance, { secrets, clock, transaction }: Deps): void {
  const personOf = (request: FastifyRequest): string | undefined => {
    const parsed = v.safeParse(params, request.params)
    return parsed.success ? unsubscribed(secrets, parsed.output.token) : undefined
  }

  app.get(`${UNSUBSCRIBE_PATH}/style.css`, async (_, reply) => send(reply, 'css', style))

  app.get(`${UNSUBSCRIBE_PATH}/:token`, async (request, reply) =>
    personOf(request) === undefined
      ? send(reply.code(404), 'html', invalidPage())
      : send(reply, 'html', offerPage()),
  )

  void app.register(async (scope) => {
    // Forms of any encoding: the address says everything.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_FORM }, (_request, _text, done) =>
      done(null),
    )
    scope.post(`${UNSUBSCRIBE_PATH}/:token`, async (request, reply) => {
      const userId = personOf(request)
      if (userId === undefined) return send(reply.code(404), 'html', invalidPage())
      await transaction(({ tx }) => withdrawConsent(tx, userId, clock()))
      return send(reply, 'html', donePage())
    })
  })
}
