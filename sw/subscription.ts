// Renews the push subscription when the browser changes it.
import {
  dropPushSubscription,
  putPushSubscription,
  subscriptionBody,
} from '#contract/notifications/push-subscriptions.ts'
import * as v from 'valibot'
import type { Session } from '#device/database/schema.ts'
import type { ApiCall } from './api-call.ts'

export interface SubscriptionPorts {
  readonly callApi: ApiCall
  readonly session: () => Promise<Session | undefined>
  readonly subscribe: (options: PushSubscriptionOptionsInit) => Promise<PushSubscription>
}

/** The fields of the browser's event; without a new subscription, the worker has to create it. */
export interface SubscriptionChange {
  readonly oldSubscription: PushSubscription | null
  readonly newSubscription: PushSubscription | null
}

/** Renews the subscription on the server. Without a session or a network, the app does so when it is next opened. */
export async function renewSubscription(
  { callApi, session, subscribe }: SubscriptionPorts,
  { oldSubscription: previous, newSubscription }: SubscriptionChange,
): Promise<void> {
  const signedIn = await session()
  if (!signedIn) return
  const key = previous?.options.applicationServerKey ?? null
  const renewed =
    newSubscription ??
    (key && (await subscribe({ userVisibleOnly: true, applicationServerKey: key }).catch(() => null)))
  const body = v.safeParse(subscriptionBody, renewed?.toJSON())
  if (body.success) await callApi(putPushSubscription, { body: body.output }, signedIn.token)
  // The previous endpoint is no longer valid.
  else await callApi(dropPushSubscription, {}, signedIn.token)
}
