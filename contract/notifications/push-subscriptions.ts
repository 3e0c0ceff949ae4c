// Push subscriptions of this device: the server's key, the subscription, and a test push.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { MAX_URL } from '#contract/limits.ts'

/** 65 and 16 bytes as base64url. */
const publicKey = v.pipe(v.string(), v.regex(/^[\w-]{87}$/, 'malformed'))
const secret = v.pipe(v.string(), v.regex(/^[\w-]{22}$/, 'malformed'))

/** The JSON form of a browser's `PushSubscription`, without fields that are not needed. */
export const subscriptionBody = v.object({
  /** Endpoint of the browser's push service. Its knowledge allows sending: it is in no reply and no log. */
  endpoint: v.pipe(v.string(), v.maxLength(MAX_URL), v.url(), v.startsWith('https://', 'https_url')),
  keys: v.object({
    /** The device's public key: 65 bytes. */
    p256dh: publicKey,
    /** Its secret: 16 bytes. */
    auth: secret,
  }),
})
export type SubscriptionBody = v.InferOutput<typeof subscriptionBody>

export const getPushKey = endpoint({
  name: 'getPushKey',
  method: 'GET',
  path: '/push/key',
  audience: 'member',
  summary: 'プッシュ通知の公開鍵',
  /** The application server key, base64url. */
  reply: v.object({ key: v.string() }),
  errors: ['unauthenticated'],
})

/**
 * This session's device takes pushes: one subscription per session, which a later one replaces, and ten per person, of
 * which the oldest is removed. It ends with the session.
 */
export const putPushSubscription = endpoint({
  name: 'putPushSubscription',
  method: 'PUT',
  path: '/push/subscription',
  audience: 'member',
  summary: 'この端末でプッシュ通知を受け取ります',
  body: subscriptionBody,
  reply: v.object({ subscribed: v.literal(true) }),
  errors: ['unauthenticated'],
})

/** Ends the subscription of this session's device. A repeat changes nothing. */
export const dropPushSubscription = endpoint({
  name: 'dropPushSubscription',
  method: 'DELETE',
  path: '/push/subscription',
  audience: 'member',
  summary: 'この端末でプッシュ通知を受け取りません',
  reply: v.object({ subscribed: v.literal(false) }),
  errors: ['unauthenticated'],
})

/** `none`: this session has no subscription (any more). `failed`: its push service did not take it; a later try may help. */
export const testOutcome = v.picklist(['sent', 'none', 'failed'])
export type TestOutcome = v.InferOutput<typeof testOutcome>

/** Sends one push to this session's device, and returns the reply of its push service. */
export const testPush = endpoint({
  name: 'testPush',
  method: 'POST',
  path: '/push/test',
  audience: 'member',
  summary: 'この端末へテスト通知を送ります',
  reply: v.object({ outcome: testOutcome }),
  errors: ['unauthenticated'],
})
