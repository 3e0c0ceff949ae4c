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
  readonly ask: ApiCall
  readonly session: () => Promise<Session | undefined>
  readonly subscribe: (options: PushSubscriptionOptionsInit) => Promise<PushSubscription>
}

/** What browsers say of the change; the new one is missing where it has to be made. */
export interface SubscriptionChange {
  readonly oldSubscription: PushSubscription | null
  readonly newSubscription: PushSubscription | null
}

/** Without a session or a network the app does it when it is next opened. */
export async function renewSubscription(
  { ask, session, subscribe }: SubscriptionPorts,
  { oldSubscription: old, newSubscription }: SubscriptionChange,
): Promise<void> {
  const who = await session()
  if (!who) return
  const key = old?.options.applicationServerKey ?? null
  const made =
    newSubscription ??
    (key && (await subscribe({ userVisibleOnly: true, applicationServerKey: key }).catch(() => null)))
  const body = v.safeParse(subscriptionBody, made?.toJSON())
  if (body.success) await ask(putPushSubscription, { body: body.output }, who.token)
  // The old address leads nowhere any more.
  else await ask(dropPushSubscription, {}, who.token)
}
