// Builds the HTTP application of all modules.
import { randomUUID } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import fastifyMultipart from '@fastify/multipart'
import Fastify, { type FastifyInstance } from 'fastify'
import { MiB } from '#contract/limits.ts'
import { createRequestTraces } from './adapters/traces/requests.ts'
import type { Traces } from './adapters/traces/traces.ts'
import type { Deps } from './deps.ts'
import { serveApp } from './http/app/app-files.ts'
import { allowOrigins } from './http/cors.ts'
import { recogniseDevices } from './services/auth/device-cookie.ts'
import { refuseAddress, refuseConnection } from './http/failures/framework-errors.ts'
import { handleErrors, isHealthUrl, refuseWhileDraining } from './http/errors.ts'
import { limitRates } from './http/limit-rates.ts'
import { logOptions } from './http/log.ts'
import { documentApi } from './http/openapi.ts'
import { checkOrigins } from './http/origin.ts'
import { readPages } from './http/app/pages.ts'
import { serveHeicSandbox } from './http/app/heic-sandbox.ts'
import { redirectShares } from './http/app/share-target.ts'
import { guardHeaders, socketOrigins } from './http/security.ts'
import { authenticateRequests } from './services/auth/authenticate.ts'
import { recordWatermarks } from './services/replicas/watermarks.ts'
import { signReplies } from './http/sign-replies.ts'
import { limitTimes } from './http/time-limits.ts'
import { recordRoutes } from './http/unknown-paths.ts'
import { accountRoutes } from './modules/accounts/routes.ts'
import { analyticsRoutes } from './modules/analytics/routes.ts'
import { devMailRoutes } from './modules/dev-mail/routes.ts'
import { authorityExportRoutes } from './modules/exports/authority.ts'
import { exportRoutes } from './modules/exports/routes.ts'
import { feedRoutes } from './modules/feed/routes.ts'
import { followRoutes } from './modules/follows/routes.ts'
import { healthRoutes } from './modules/health/routes.ts'
import { leavingRoutes } from './modules/leaving/routes.ts'
import { adminRoutes } from './modules/admin/routes.ts'
import { auditRoutes } from './modules/administration/audit-routes.ts'
import { identityRoutes } from './modules/identity/routes.ts'
import { measureRequests } from './modules/machine/measure-requests.ts'
import { machineRoutes } from './modules/machine/routes.ts'
import { refuseWhileOverloaded } from './modules/metrics/overload.ts'
import { METRICS_PATH, metricsRoute } from './modules/metrics/route.ts'
import { settingRoutesOfStaff } from './modules/machine/settings-routes.ts'
import { mediaRoutes } from './modules/media/routes.ts'
import { muteRoutes } from './modules/mutes/routes.ts'
import { messageRoutes } from './modules/messages/routes.ts'
import { moderationRoutes } from './modules/moderation/routes.ts'
import { noticeAdminRoutes } from './modules/notices/admin-routes.ts'
import { noticeRoutes } from './modules/notices/reader-routes.ts'
import { unsubscribeRoutes } from './modules/notices/unsubscribe.ts'
import { notificationRoutes } from './modules/notifications/routes.ts'
import { operatorRoutes } from './modules/operator/routes.ts'
import { passkeyRoutes } from './modules/passkeys/routes.ts'
import { peopleRoutes } from './modules/people/routes.ts'
import { pushRoutes } from './modules/push/routes.ts'
import { membershipRoutes } from './modules/memberships/routes.ts'
import { payoutAdminRoutes } from './modules/payouts/admin-routes.ts'
import { balanceRoutes } from './modules/payouts/balance-routes.ts'
import { adjustmentRoutes } from './modules/adjustments/routes.ts'
import { payoutRoutes } from './modules/payouts/payout-routes.ts'
import { bankAccountRoutes } from './modules/payouts/bank-account-routes.ts'
import { bankRoutes } from './modules/payouts/bank-routes.ts'
import { paymentRoutes } from './modules/payments/routes.ts'
import { paymentSandboxRoutes } from './modules/payment-sandbox/routes.ts'
import { planRoutes } from './modules/plans/routes.ts'
import { salesRoutes } from './modules/sales/routes.ts'
import { postRoutes } from './modules/posts/routes.ts'
import { realtimeRoutes } from './modules/realtime/routes.ts'
import { reportRoutes } from './modules/reports/routes.ts'
import { peopleOfStaffRoutes } from './modules/administration/people-routes.ts'
import { recoveryRoutes } from './modules/administration/recovery.ts'
import { secondFactorRoutes } from './modules/second-factor/routes.ts'
import { staffRoutes } from './modules/administration/staff-routes.ts'
import { sellerAdminRoutes } from './modules/sellers/admin-routes.ts'
import { sellerRoutes } from './modules/sellers/routes.ts'
import { searchRoutes } from './modules/search/routes.ts'
import { reactionRoutes } from './modules/reactions/routes.ts'
import { describePage } from './modules/share/cards.ts'
import { shareRoutes } from './modules/share/routes.ts'
import { sessionRoutes } from './modules/sessions/routes.ts'
import { settingRoutes } from './modules/settings/routes.ts'
import { uploadRoutes } from './modules/uploads/routes.ts'
import { withCard } from './rules/share-card.ts'

/** A connection without any byte for this long is closed, ms. */
const IDLE_TIMEOUT = 120_000
/** How often Node checks for connections with late headers, ms. */
const CHECK_EVERY = 5000

/** An application without routes and hooks. */
export function newApp({ settings, traces }: Pick<Deps, 'settings' | 'traces'>): FastifyInstance {
  const requests = traces && requestTracesOf(traces, settings)
  const app = Fastify({
    ...(requests && { childLoggerFactory: requests.childLoggerFactory }),
    logger: logOptions({ level: settings.logLevel, pretty: settings.prettyLogs, stream: settings.logTo }),
    genReqId: () => randomUUID(),
    trustProxy: settings.trustProxy,
    bodyLimit: MiB,
    connectionTimeout: IDLE_TIMEOUT,
    requestTimeout: 0,
    http: { headersTimeout: settings.timeLimits.headers, connectionsCheckingInterval: CHECK_EVERY },
    forceCloseConnections: 'idle',
    // While stopping, `refuseWhileDraining` replies with the API's own error shape.
    return503OnClosing: false,
    frameworkErrors: refuseAddress,
    clientErrorHandler: refuseConnection,
  })
  requests?.addTo(app)
  return app
}

const requestTracesOf = (traces: Traces, { tracesFromProxy = false, trustProxy }: Deps['settings']) =>
  createRequestTraces(traces, {
    skips: (url) => isHealthUrl(url) || url === METRICS_PATH,
    trusts: (address) => tracesFromProxy && trustProxy(address, 0),
  })

/** Every endpoint, by domain. */
function addRoutes(app: FastifyInstance, deps: Deps): void {
  healthRoutes(app, deps)
  operatorRoutes(app, deps)
  accountRoutes(app, deps)
  sessionRoutes(app, deps)
  passkeyRoutes(app, deps)
  secondFactorRoutes(app, deps)
  recoveryRoutes(app, deps)
  uploadRoutes(app, deps)
  postRoutes(app, deps)
  feedRoutes(app, deps)
  reactionRoutes(app, deps)
  mediaRoutes(app, deps)
  peopleRoutes(app, deps)
  followRoutes(app, deps)
  muteRoutes(app, deps)
  reportRoutes(app, deps)
  moderationRoutes(app, deps)
  planRoutes(app, deps)
  salesRoutes(app, deps)
  analyticsRoutes(app, deps)
  membershipRoutes(app, deps)
  paymentRoutes(app, deps)
  paymentSandboxRoutes(app, deps)
  bankRoutes(app, deps)
  bankAccountRoutes(app, deps)
  payoutRoutes(app, deps)
  adjustmentRoutes(app, deps)
  payoutAdminRoutes(app, deps)
  balanceRoutes(app, deps)
  sellerRoutes(app, deps)
  sellerAdminRoutes(app, deps)
  pushRoutes(app, deps)
  settingRoutes(app, deps)
  messageRoutes(app, deps)
  notificationRoutes(app, deps)
  noticeRoutes(app, deps)
  noticeAdminRoutes(app, deps)
  unsubscribeRoutes(app, deps)
  searchRoutes(app, deps)
  leavingRoutes(app, deps)
  exportRoutes(app, deps)
  authorityExportRoutes(app, deps)
  identityRoutes(app, deps)
  adminRoutes(app, deps)
  auditRoutes(app, deps)
  staffRoutes(app, deps)
  peopleOfStaffRoutes(app, deps)
  machineRoutes(app, deps)
  metricsRoute(app, deps)
  settingRoutesOfStaff(app, deps)
  realtimeRoutes(app, deps)
  devMailRoutes(app, deps)
  shareRoutes(app, deps)
}

export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { settings } = deps
  const app = newApp(deps)
  limitTimes(app, settings.timeLimits)
  // Pages of other sites may send plain text without a preflight; no endpoint accepts it.
  app.removeContentTypeParser('text/plain')
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  measureRequests(app, deps)
  signReplies(app)
  handleErrors(app)
  refuseWhileDraining(app, deps.draining)
  refuseWhileOverloaded(app, {
    late: () => deps.eventLoop.late(),
    limit: settings.overloadDelay,
    refused: () => deps.metrics.overloaded(),
  })
  const unknown = recordRoutes(app)
  await guardHeaders(app, {
    https: settings.https,
    sockets: socketOrigins(deps.realtime.address, settings.publicUrl),
    formOrigins: deps.paymentProviders.all.flatMap((it) => it.formOrigin ?? []),
  })
  allowOrigins(app, settings.corsOrigins)
  await limitRates(app, settings.limits, deps.counts)
  await app.register(fastifyCookie)
  recogniseDevices(app, deps)
  checkOrigins(app, settings.origins)
  await app.register(fastifyMultipart)
  authenticateRequests(app, deps)
  recordWatermarks(app, deps)
  if (settings.apiDocs) await documentApi(app)

  addRoutes(app, deps)
  redirectShares(app)
  const pages = await readPages(settings.dist)
  serveHeicSandbox(app, settings.dist)
  await serveApp(app, settings, unknown, async (path, shell) => {
    const it = await describePage(deps, path, pages.patternOf(path))
    return { status: it.status, html: withCard(shell, it.card, it) }
  })
  return app
}
