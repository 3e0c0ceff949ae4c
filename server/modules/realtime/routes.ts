// Routes of the live connection: its address, channel authorization, and upgrades.
import type { FastifyInstance } from 'fastify'
import { authorizeChannel, getRealtime } from '#contract/realtime/realtime.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import { memberRoute } from '#server/http/route.ts'
import { handleUpgrades } from './upgrade.ts'
import { serveEventsApi } from './http-api.ts'
import { mayJoin } from './authorize-channel.ts'
import { revalidateConnections } from './revalidate.ts'

/** A form is two short texts. */
const MOST = 1024

export function realtimeRoutes(app: FastifyInstance, deps: Deps): void {
  const { realtime, settings } = deps
  memberRoute(app, getRealtime, async () => realtime.address)

  // Forms come in here alone: a page of another site may send one without asking.
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MOST },
      (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
    )
    memberRoute(
      scope,
      authorizeChannel,
      async ({ viewer, body }) => {
        const at = deps.clock()
        if (!(await mayJoin(deps, viewer, body.channel_name))) throw new ApiError('forbidden')
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
    app.log.error({ err: error }, 'a look at listeners failed'),
  )
  app.addHook('preClose', async () => stop())
  serveEventsApi(app, deps, realtime.sockets)
}
