// Routes of the sandbox providers that are open.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HOSTED_SANDBOX_PATH, PAYMENT_RETURN_PATH, SANDBOX_PATH } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { findOpenCharge, findSandboxCharge, type SandboxCharge } from '#server/store/payments/sandbox.ts'
import { controlRoutes } from './control.ts'
import { readCardForm } from './form.ts'
import { sendNotices } from './notices.ts'
import { cardPage, refusalPage, style } from './pages.ts'
import { cancelCharge, openCharge, payBy } from './pay.ts'
import { openSandboxes } from './recurring.ts'
import { wireOf } from './wire.ts'

/** Longest form, bytes. */
const MAX_FORM = 4096

const policy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

function send(reply: FastifyReply, type: 'html' | 'css', body: string): FastifyReply {
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .type(`text/${type}; charset=utf-8`)
    .send(body)
}

const refuse = (reply: FastifyReply, status: number) => send(reply.code(status), 'html', refusalPage())

/** The address at which this server listens. */
function addressOf(server: FastifyInstance['server']): string {
  const { address, port } = server.address() as AddressInfo
  const host = ['::', '0.0.0.0'].includes(address) ? 'localhost' : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The page to which the provider's form leads back. */
function returnUrl({ provider, fields, paymentId }: SandboxCharge): string {
  const query = new URLSearchParams({ payment_id: paymentId, session_id: wireOf(provider).sessionId(fields) })
  return `${PAYMENT_RETURN_PATH}?${query.toString()}`
}

export function paymentSandboxRoutes(app: FastifyInstance, deps: Deps): void {
  const { settings } = deps
  const open = openSandboxes(deps)
  if (open.length === 0) return
  const sendDue = () => sendNotices(deps)
  app.addHook('onListen', async () => {
    deps.listening.at = addressOf(app.server)
  })

  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM },
      (_request, text, done) => done(null, text),
    )
    scope.get(`${SANDBOX_PATH}/style.css`, async (_request, reply) => send(reply, 'css', style))

    if (open.includes('sandbox'))
      scope.post(SANDBOX_PATH, async (request, reply) => {
        const fields = readCardForm(bodyOf(request), settings.payments)
        if (!fields) return refuse(reply, 422)
        return show(reply, await openCharge(deps, fields), '')
      })
    if (open.includes('hosted-sandbox')) hostedPage(scope, deps)

    scope.post<{ Params: { chargeRef: string } }>(`${SANDBOX_PATH}/:chargeRef`, async (request, reply) => {
      const charge = await findSandboxCharge(deps.db, request.params.chargeRef)
      if (!charge) return refuse(reply, 404)
      const typed = new URLSearchParams(bodyOf(request))
      if (typed.get('do') === 'cancel') {
        await cancelCharge(deps, charge)
        return reply.redirect(returnUrl(charge), 303)
      }
      const result = await payBy(deps, charge, typed.get('card') ?? '')
      // As at a real provider the buyer goes on; the job sends the notice again.
      if ('sendsNow' in result && result.sendsNow)
        await sendDue().catch((error: unknown) => request.log.error({ err: error }, 'notice not delivered'))
      switch (result.is) {
        case 'paid':
          return reply.redirect(returnUrl(charge), 303)
        case 'refused':
          return show(reply, result.charge, result.says)
        case 'wrong_card':
          return show(reply, charge, '練習用のカード番号を入力してください。')
        case 'closed':
          return refuse(reply, 409)
        default:
          return result satisfies never
      }
    })
  })
  if (settings.payments.sandboxControl) controlRoutes(app, deps, sendDue)
}

/** The page to which the hosted sandbox redirects a buyer. */
function hostedPage(scope: FastifyInstance, { db }: Deps): void {
  const url = `${HOSTED_SANDBOX_PATH}/:chargeRef`
  scope.get<{ Params: { chargeRef: string } }>(url, async (request, reply) => {
    const first = await findSandboxCharge(db, request.params.chargeRef)
    // After a refused card the page has another charge.
    const charge = first?.state === 'refused' ? await findOpenCharge(db, first.paymentId) : first
    const isOpen = charge?.provider === 'hosted-sandbox' && charge.state === 'open'
    return isOpen ? show(reply, charge, '') : refuse(reply, 404)
  })
}

const bodyOf = ({ body }: FastifyRequest): string => (typeof body === 'string' ? body : '')

const show = (reply: FastifyReply, { provider, chargeRef, fields, amount }: SandboxCharge, problem: string) =>
  send(
    reply,
    'html',
    cardPage({
      chargeRef,
      itemName: wireOf(provider).itemName(fields),
      amount,
      monthly: wireOf(provider).monthly(fields, amount),
      chargeDay: wireOf(provider).chargeDay(fields),
      problem,
    }),
  )
