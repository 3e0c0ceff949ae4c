// Devices that take pushes: subscribing the one a session is on, ending that, and trying it.
import type { FastifyInstance } from 'fastify'
import {
  dropPushSubscription,
  getPushKey,
  putPushSubscription,
  testPush,
} from '#contract/notifications/push-subscriptions.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import { memberRoute } from '#server/http/route.ts'
import { removeDeviceOfSession, putDevice } from '#server/store/notifications/push-subscriptions.ts'
import { tryDevice } from './try.ts'

export function pushRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, push, clock, settings } = deps
  const rateLimit = perPerson(settings.limits.push)

  memberRoute(app, getPushKey, async () => ({ key: push.publicKey }))

  memberRoute(
    app,
    putPushSubscription,
    async ({ viewer, body }) => {
      const device = { endpoint: body.endpoint, ...body.keys }
      if (!(await push.accepts(device))) throw new ApiError('invalid', { endpoint: 'malformed' })
      await putDevice(db, { userId: viewer.id, sessionId: viewer.sessionId }, device, clock())
      return { subscribed: true as const }
    },
    { rateLimit },
  )

  memberRoute(app, dropPushSubscription, async ({ viewer }) => {
    await removeDeviceOfSession(db, viewer.sessionId)
    return { subscribed: false as const }
  })

  memberRoute(app, testPush, async ({ viewer }) => ({ outcome: await tryDevice(deps, viewer) }), {
    rateLimit,
  })
}
