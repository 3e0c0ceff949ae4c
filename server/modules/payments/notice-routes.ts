// Receives the notices of payment providers: stored as they are first, then handled.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { newId } from '#contract/ids.ts'
import { PAYMENT_NOTICES_PATH } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { PAGE_NOT_FOUND } from '#contract/pages.ts'
import { handleNotice } from '#server/services/billing/handle-notice.ts'
import { acceptedNoticeSecrets, isSameSecret } from '#server/services/payments/identifiers.ts'
import { noticeEnd } from '#server/services/payments/providers.ts'
import { addNoticeOnce, type NewNotice, setNoticeHandled } from '#server/store/payments/notices.ts'
import { noteRefused } from '#server/store/payments/notice-tasks.ts'

/** Longest query of a notice, characters; a longer one is stored up to here. */
const MAX_QUERY = 8192
/** Longest body of a notice, bytes. A longer one is not read. */
const MAX_BODY = 65_536
/** A job handles what this process did not, s after it was stored. */
const JOB_AFTER = 60

type Provider = Deps['paymentProviders']['all'][number]
type Received = Parameters<Provider['readNotice']>[0] & { readonly ip: string }
type Reading = ReturnType<Provider['readNotice']>

/** A notice that is not authenticated is refused, so that the provider repeats one that only seemed so. */
const refusals = {
  method: 'method_not_allowed',
  signature: 'unauthenticated',
  stale: 'unauthenticated',
} as const
const isRefused = (why: string): why is keyof typeof refusals => why in refusals

export function noticeRoutes(app: FastifyInstance, deps: Deps): void {
  for (const it of deps.paymentProviders.all) routeOf(app, deps, it)
}

function routeOf(app: FastifyInstance, deps: Deps, provider: Provider): void {
  const { settings, secrets, paymentProviders } = deps
  const end = noticeEnd(paymentProviders, provider)
  const accepted = acceptedNoticeSecrets(secrets, settings.payments.noticePath)

  /** Refuses requests that are not the provider's, as an address without a route. */
  function mustBeProvider(request: FastifyRequest, reply: FastifyReply): void {
    const given = (request.params as { secret: string }).secret
    const why = !accepted.some((it) => isSameSecret(given, it))
      ? 'path'
      : provider.isNoticeAddress(request.ip)
        ? undefined
        : 'address'
    if (why === undefined) return
    // The address of a network that knows the path is what the operator has to examine.
    app.log[why === 'path' ? 'warn' : 'error'](
      { why, remoteAddress: request.ip },
      'payment notice not accepted',
    )
    reply.raw.statusMessage = PAGE_NOT_FOUND
    throw new ApiError('not_found')
  }

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY }, (_request, bytes, done) =>
      done(null, bytes),
    )
    // Before its body is read.
    scope.addHook('onRequest', async (request, reply) => mustBeProvider(request, reply))
    scope.addHook('onError', async (request, _reply, error) => {
      if ((error as { code?: string }).code === 'FST_ERR_CTP_BODY_TOO_LARGE')
        await storeRefused(app, deps, provider, receivedOf(request, provider, deps), 'oversized')
    })
    scope.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: `${PAYMENT_NOTICES_PATH}/:secret${end}`,
      config: { rateLimit: settings.limits.paymentNotices },
      exposeHeadRoute: false,
      async handler(request, reply) {
        await receive(app, deps, provider, receivedOf(request, provider, deps))
        return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send('ok')
      },
    })
  })
}

function receivedOf(request: FastifyRequest, { noticeHeaders }: Provider, { clock }: Deps): Received {
  const { raw, method, headers, body, ip } = request
  const url = raw.url ?? ''
  const mark = url.indexOf('?')
  return {
    method,
    query: mark === -1 ? '' : url.slice(mark + 1),
    headers: Object.fromEntries(
      noticeHeaders.flatMap((name) => {
        const value = headers[name]
        return typeof value === 'string' ? [[name, value.slice(0, 1024)]] : []
      }),
    ),
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    receivedAt: clock(),
    ip,
  }
}

/** A text as it is stored: of ASCII only, at most 8 KiB. */
const stored = (query: string): string =>
  query
    .slice(0, MAX_QUERY)
    .replaceAll(/[^\n\u0020-\u007e]/g, (it) => `%${it.charCodeAt(0).toString(16)}`)
    .slice(0, MAX_QUERY)

const rowOf = ({ name }: Provider, received: Received) => {
  const { method, query, headers, body, receivedAt, ip } = received
  return {
    id: newId(),
    provider: name,
    raw: stored(query),
    method,
    headers: Object.keys(headers).length > 0 ? headers : null,
    body: body.length > 0 ? Buffer.from(body).toString('base64') : null,
    digest: digestOf(received, ''),
    remoteAddress: ip,
    receivedAt: new Date(receivedAt),
  }
}

const hashOf = (noticeRef: string) => createHash('sha256').update(`notice ${noticeRef}`).digest('base64url')

function digestOf({ query, body }: Received, more: string): string {
  const hash = createHash('sha256').update(query)
  if (body.length > 0) hash.update('\n').update(body)
  return hash.update(more).digest('base64url')
}

/** A notice without a number is the same as another one of this time, ms. */
const SAME_MS = 3600_000

/**
 * What makes a notice the same as another one: its number, else its text. The text of one about a recurring charge, which may lack a number, is the
 * same in each month in which that failed, so that the time belongs to it. A signature, which each repeat has anew, does not.
 */
function keyOf(reading: Reading, received: Received): Pick<NewNotice, 'chargeRef' | 'kind' | 'digest'> {
  if (reading.is === 'problem') {
    const { chargeRef, why: kind } = reading
    return { chargeRef, kind, digest: digestOf(received, '') }
  }
  const { chargeRef, is: kind } = reading.event
  if (reading.noticeRef !== undefined) return { chargeRef, kind, digest: hashOf(reading.noticeRef) }
  const isTimed = (kind === 'renewal_failed' || kind === 'stopped') && chargeRef === ''
  const hour = isTimed ? `\n${Math.floor(received.receivedAt / SAME_MS)}` : ''
  return { chargeRef, kind, digest: digestOf(received, hour) }
}

/** What the operator has to examine. */
const loud = new Set(['surplus', 'refunded_there', 'disputed_there', 'taken_back'])

/**
 * Stores a notice and handles it. An error while it is handled is left to the job: the provider need not repeat it.
 * @throws ApiError when it is too long, or not authenticated
 */
async function receive(
  app: FastifyInstance,
  deps: Deps,
  provider: Provider,
  received: Received,
): Promise<void> {
  if (received.query.length > MAX_QUERY) {
    await storeRefused(app, deps, provider, received, 'oversized')
    throw new ApiError('too_large')
  }
  const reading = provider.readNotice(received)
  if (reading.is === 'problem' && isRefused(reading.why)) {
    await storeRefused(app, deps, provider, received, reading.why)
    throw new ApiError(refusals[reading.why])
  }
  const noticeId = await deps.transaction(async ({ tx, enqueue }) => {
    const { id, fresh } = await addNoticeOnce(tx, {
      ...rowOf(provider, received),
      ...keyOf(reading, received),
    })
    if (fresh) await enqueue('payment.notice', { noticeId: id }, { seconds: JOB_AFTER })
    return id
  })
  try {
    const handled = await handleNotice(deps, noticeId)
    if (!handled) return
    const { outcome, paymentId, alerts } = handled
    const level = alerts || loud.has(outcome) ? 'error' : 'info'
    app.log[level]({ noticeId, paymentId, outcome }, 'payment notice handled')
  } catch (error) {
    app.log.error({ err: error, noticeId }, 'payment notice stored, but not handled')
  }
}

/**
 * Stores a request at the notices' path that is no notice, without a body that anyone may have written. A sender who knows the path can send
 * any number of them, so that they share one open task.
 */
async function storeRefused(
  app: FastifyInstance,
  deps: Deps,
  provider: Provider,
  received: Received,
  why: string,
): Promise<void> {
  const outcome = `refused:${why}`
  const noticeId = await deps.transaction(async ({ tx }) => {
    const row = { ...rowOf(provider, received), chargeRef: '', kind: why }
    const { id, fresh } = await addNoticeOnce(tx, why === 'stale' ? row : { ...row, body: null })
    if (!fresh) return id
    await setNoticeHandled(tx, id, { outcome, paymentId: null }, deps.clock())
    const refused = { notice: id, chargeRef: '', why: outcome, provider: provider.name, paymentId: null }
    await noteRefused(tx, refused, deps.clock())
    return id
  })
  app.log.error({ noticeId, outcome }, 'payment notice not accepted')
}
