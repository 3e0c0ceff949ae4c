// Receives the provider's notices: stored as they are first, then handled.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { newId } from '#contract/ids.ts'
import { PAYMENT_NOTICES_PATH } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { PAGE_NOT_FOUND } from '#contract/pages.ts'
import { handleNotice } from '#server/services/billing/handle-notice.ts'
import { acceptedNoticeSecrets, isSameSecret } from '#server/services/payments/identifiers.ts'
import { addNoticeOnce, setNoticeHandled } from '#server/store/payments/notices.ts'
import { addTask } from '#server/store/payments/operator-tasks.ts'

/** Longest query of a notice, characters; a longer one is stored up to here. */
const MAX_QUERY = 8192
/** Longest body that is read, bytes; a notice has none. */
const MAX_BODY = 16_384
/** A job handles what this process did not, s after it was stored. */
const JOB_AFTER = 60

type Provider = NonNullable<Deps['paymentProvider']>

export function noticeRoutes(app: FastifyInstance, deps: Deps): void {
  const { paymentProvider: provider, settings, secrets } = deps
  if (!provider) return
  const accepted = acceptedNoticeSecrets(secrets, settings.payments.noticePath)

  /** Refuses requests that are not the provider's, as an address without a route. */
  function mustBeProvider(request: FastifyRequest, reply: FastifyReply): void {
    const given = (request.params as { secret: string }).secret
    const why = !accepted.some((it) => isSameSecret(given, it))
      ? 'path'
      : settings.payments.isNoticeAddress(request.ip)
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
    const options = { config: { rateLimit: settings.limits.paymentNotices } } as const
    const url = `${PAYMENT_NOTICES_PATH}/:secret`
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY }, (_request, text, done) =>
      done(null, text),
    )
    scope.get(url, { ...options, exposeHeadRoute: false }, async (request, reply) => {
      mustBeProvider(request, reply)
      const query = queryOf(request)
      if (query.length > MAX_QUERY) {
        await storeRefused(app, deps, provider, { query, ip: request.ip, why: 'oversized' })
        throw new ApiError('too_large')
      }
      await receive(app, deps, provider, query, request.ip)
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send('ok')
    })
    scope.post(url, options, async (request, reply) => {
      mustBeProvider(request, reply)
      const body = typeof request.body === 'string' ? request.body : ''
      const query = `${queryOf(request)}\n${body}`
      await storeRefused(app, deps, provider, { query, ip: request.ip, why: 'method' })
      throw new ApiError('method_not_allowed')
    })
  })
}

/** The query as it was sent, without `?`. */
function queryOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? ''
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

/** A text as it is stored: of ASCII only, at most 8 KiB. */
const stored = (query: string): string =>
  query
    .slice(0, MAX_QUERY)
    .replaceAll(/[^\n\u0020-\u007e]/g, (it) => `%${it.charCodeAt(0).toString(16)}`)
    .slice(0, MAX_QUERY)

const rowOf = (deps: Deps, provider: Provider, query: string, ip: string) => ({
  id: newId(),
  provider: provider.name,
  raw: stored(query),
  digest: digestOf(query),
  remoteAddress: ip,
  receivedAt: new Date(deps.clock()),
})

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A notice without a number is the same as another one of this time, ms. */
const SAME_MS = 3600_000

/**
 * What makes a notice the same as another one. The text of one about a recurring charge, which may lack a number, is the
 * same in each month in which that failed, so that the time belongs to it.
 */
function keyOf(
  provider: Provider,
  query: string,
  now: number,
): { gid: string; kind: string; digest: string } {
  const reading = provider.readNotice(query)
  const { gid, result: kind } = reading.is === 'problem' ? reading : reading.notice
  const isTimed = reading.is === 'stop' && gid === ''
  return { gid, kind, digest: digestOf(isTimed ? `${query}\n${Math.floor(now / SAME_MS)}` : query) }
}

/** Stores a notice and handles it. An error while it is handled is left to the job: the provider need not repeat it. */
async function receive(
  app: FastifyInstance,
  deps: Deps,
  provider: Provider,
  query: string,
  ip: string,
): Promise<void> {
  const noticeId = await deps.transaction(async ({ tx, enqueue }) => {
    const row = { ...rowOf(deps, provider, query, ip), ...keyOf(provider, query, deps.clock()) }
    const { id, fresh } = await addNoticeOnce(tx, row)
    if (fresh) await enqueue('payment.notice', { noticeId: id }, { seconds: JOB_AFTER })
    return id
  })
  try {
    const handled = await handleNotice(deps, noticeId)
    if (!handled) return
    const { outcome, paymentId, alerts } = handled
    const level = alerts || outcome === 'surplus' ? 'error' : 'info'
    app.log[level]({ noticeId, paymentId, outcome }, 'payment notice handled')
  } catch (error) {
    app.log.error({ err: error, noticeId }, 'payment notice stored, but not handled')
  }
}

/** Stores a request at the notices' path that is no notice. */
async function storeRefused(
  app: FastifyInstance,
  deps: Deps,
  provider: Provider,
  { query, ip, why }: { readonly query: string; readonly ip: string; readonly why: string },
): Promise<void> {
  const outcome = `refused:${why}`
  const noticeId = await deps.transaction(async ({ tx }) => {
    const { id, fresh } = await addNoticeOnce(tx, {
      ...rowOf(deps, provider, query, ip),
      gid: '',
      kind: why,
    })
    if (!fresh) return id
    await setNoticeHandled(tx, id, { outcome, paymentId: null }, deps.clock())
    const details = { notice: id, gid: '', why: outcome }
    await addTask(tx, { kind: 'notice_mismatch', paymentId: null, details }, deps.clock())
    return id
  })
  app.log.error({ noticeId, outcome }, 'payment notice not accepted')
}
