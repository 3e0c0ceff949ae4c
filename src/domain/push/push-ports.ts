// Ports of pushes on a device, and the stored note of its subscription.
import type { SubscriptionBody } from '#contract/notifications/push-subscriptions.ts'

/** For whom and with which key this device was subscribed. */
export interface PushNote {
  readonly ownerId: string
  /** The server's key. */
  readonly key: string
}

export interface Subscription extends SubscriptionBody {
  /** The server's key with which it was created. */
  readonly key: string
}

export interface PushDevicePorts {
  readonly support: () => 'supported' | 'install' | 'none'
  readonly permission: () => NotificationPermission
  readonly requestPermission: () => Promise<NotificationPermission>
  readonly subscription: () => Promise<Subscription | undefined>
  /** Rejects when the browser's push service does not reply. */
  readonly subscribe: (key: string) => Promise<Subscription>
  readonly unsubscribe: () => Promise<void>
  readonly server: {
    key: () => Promise<string>
    put: (it: SubscriptionBody) => Promise<unknown>
    drop: () => Promise<unknown>
  }
  readonly note: { read: () => PushNote | undefined; save: (it: PushNote) => void; remove: () => void }
}
