// Routes of push subscriptions: the key, subscribing, unsubscribing, and a test push.
import type { FastifyInstance } from 'fastify'
import {
  dropPushSubscription,
  getPushKey,
  putPushSubscription,
  testPush,
} from '#contract/notifications/push-subscriptions.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import { removeDeviceOfSession, putDevice } from '#server/store/notifications/push-subscriptions.ts'
import { sendTestPush } from './send-test-push.ts'

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

  memberRoute(app, testPush, async ({ viewer }) => ({ outcome: await sendTestPush(deps, viewer) }), {
    rateLimit,
  })
}
