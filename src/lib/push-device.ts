// Pushes on this device: whether they can be had, are wanted, and still reach whoever is signed in. Over its ports.
import type { SubscriptionBody } from '#contract/push-subscriptions.ts'

/**
 * `unsupported`: not in this browser. `install`: only in the app on the home screen (iOS). `denied`: the person, or
 * their browser, has said no. `off` and `on`: as they like.
 */
export type PushStanding = 'unsupported' | 'install' | 'denied' | 'off' | 'on'

/** What became of turning them on. `failed`: the browser's push service or our server did not answer. */
export type TurnedOn = 'on' | 'denied' | 'failed'

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

export function createPushDevice(ports: PushDevicePorts) {
  const { note, server } = ports

  /** Subscribes with this key, in the place of another one's, and tells the server. */
  async function connect(ownerId: string, key: string): Promise<void> {
    const before = await ports.subscription()
    if (before && before.key !== key) await ports.unsubscribe()
    const { endpoint, keys } = before?.key === key ? before : await ports.subscribe(key)
    await server.put({ endpoint, keys })
    note.save({ ownerId, key })
  }

  function standing(ownerId: string): PushStanding {
    switch (ports.support()) {
      case 'none':
        return 'unsupported'
      case 'install':
        return 'install'
      case 'here': {
        if (ports.permission() === 'denied') return 'denied'
        return ports.permission() === 'granted' && note.read()?.ownerId === ownerId ? 'on' : 'off'
      }
    }
  }

  return {
    standing,
    /** Asks the person where the browser wants it: called by a press of theirs, and never otherwise. */
    async turnOn(ownerId: string): Promise<TurnedOn> {
      if ((await ports.askPermission()) !== 'granted') return 'denied'
      try {
        await connect(ownerId, await server.key())
        return 'on'
      } catch {
        return 'failed'
      }
    },
    /** Ends them here, whatever the network does; the server learns it, or finds the address gone. */
    async turnOff(): Promise<void> {
      note.drop()
      await Promise.allSettled([ports.unsubscribe(), server.drop()])
    },
    /** Somebody signs out: the server ends it with the session. */
    async forget(): Promise<void> {
      note.drop()
      await ports.unsubscribe().catch(() => undefined)
    },
    /**
     * At a start and when somebody signs in: what was wanted is so again, though the browser gave another address, the
     * server has other keys or forgot the device. Whatever was another person's ends.
     */
    async sync(ownerId: string): Promise<void> {
      if (ports.support() !== 'here' || ports.permission() !== 'granted') return
      const before = note.read()
      if (before?.ownerId !== ownerId) {
        note.drop()
        if (await ports.subscription()) await ports.unsubscribe()
        return
      }
      await connect(ownerId, await server.key())
    },
  }
}
