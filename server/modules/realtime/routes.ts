// Routes of the live connection: its address, channel authorization, and upgrades.
import type { FastifyInstance } from 'fastify'
import { personChannel } from '#contract/realtime/channels.ts'
import { authorizeChannel, getRealtime } from '#contract/realtime/realtime.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import { recordSeen } from '#server/store/accounts/settings.ts'
import { handleUpgrades } from './upgrade.ts'
import { serveEventsApi } from './http-api.ts'
import { mayJoin } from './authorize-channel.ts'
import { revalidateConnections } from './revalidate.ts'

/** Size limit of a form, bytes; it has two short fields. */
const MAX_FORM_BYTES = 1024

export function realtimeRoutes(app: FastifyInstance, deps: Deps): void {
  const { realtime, settings } = deps
  memberRoute(app, getRealtime, async () => realtime.address)

  // Only this route accepts forms: a page of another site can send one without a CORS preflight.
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
    )
    memberRoute(
      scope,
      authorizeChannel,
      async ({ viewer, body, request }) => {
        const at = deps.clock()
        if (!(await mayJoin(deps, viewer, body.channel_name))) throw new ApiError('forbidden')
        // Each page joins it when it connects. Without the time of presence the page is connected nevertheless.
        if (body.channel_name === personChannel(viewer.id))
          await recordSeen(deps.db, [viewer.id], at).catch((error: unknown) =>
            request.log.error({ err: error }, 'the time of presence was not stored'),
          )
        return realtime.grant({
          socketId: body.socket_id,
          channel: body.channel_name,
          sessionId: viewer.sessionId,
          person: { id: viewer.id, name: viewer.name },
          at,
        })
      },
      { rateLimit: perPerson(settings.limits.joins) },
    )
  })

  if (!realtime.sockets) return
  handleUpgrades(app, deps, realtime.sockets)
  const stop = revalidateConnections(deps, realtime.sockets, (error) =>
    app.log.error({ err: error }, 'the revalidation of live connections failed'),
  )
  app.addHook('preClose', async () => stop())
  serveEventsApi(app, deps, realtime.sockets)
}
