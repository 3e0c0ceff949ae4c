// Ports of pushes on a device, and what the device was subscribed for.
import type { SubscriptionBody } from '#contract/notifications/push-subscriptions.ts'

/** What this device was subscribed for. */
export interface PushNote {
  readonly ownerId: string
  /** The server's key. */
  readonly key: string
}

export interface Subscription extends SubscriptionBody {
  /** The server's key it was made with. */
  readonly key: string
}

export interface PushDevicePorts {
  readonly support: () => 'here' | 'install' | 'none'
  readonly permission: () => NotificationPermission
  readonly askPermission: () => Promise<NotificationPermission>
  readonly subscription: () => Promise<Subscription | undefined>
  /** Throws when the browser's push service does not answer. */
  readonly subscribe: (key: string) => Promise<Subscription>
  readonly unsubscribe: () => Promise<void>
  readonly server: {
    key: () => Promise<string>
    put: (it: SubscriptionBody) => Promise<unknown>
    drop: () => Promise<unknown>
  }
  readonly note: { read: () => PushNote | undefined; save: (it: PushNote) => void; drop: () => void }
}
