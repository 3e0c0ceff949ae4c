// Pushes on this device: whether they can be had, are wanted, and still reach whoever is signed in. Over its ports.
import type { SubscriptionBody } from '#contract/notifications/push-subscriptions.ts'

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

  /** Counts endings: what was begun before one turns nothing on any more. */
  let endings = 0
  let last: Promise<unknown> = Promise.resolve()
  /** The latest the server was told to send here; it never fails. */
  let putting: Promise<unknown> = Promise.resolve()

  /** One after the other: none takes away what another has just subscribed. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }

  /**
   * Subscribes with the server's key, in the place of another one's, and tells the server.
   * @param begun the endings there had been when it was wished for
   * @returns false where pushes were ended meanwhile
   */
  async function connect(ownerId: string, begun: number): Promise<boolean> {
    const key = await server.key()
    const before = await ports.subscription()
    if (before && before.key !== key) await ports.unsubscribe()
    if (begun !== endings) return false
    const { endpoint, keys } = before?.key === key ? before : await ports.subscribe(key)
    if (begun !== endings) {
      // The ending found none to end.
      await ports.unsubscribe()
      return false
    }
    const put = server.put({ endpoint, keys })
    putting = put.catch(() => undefined)
    await put
    if (begun !== endings) return false
    note.save({ ownerId, key })
    return true
  }

  function end(): Promise<void> {
    endings += 1
    note.drop()
    return ports.unsubscribe()
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
      const begun = endings
      if ((await ports.askPermission()) !== 'granted') return 'denied'
      try {
        return (await inTurn(() => connect(ownerId, begun))) ? 'on' : 'failed'
      } catch {
        return 'failed'
      }
    },
    /** Ends them here, whatever the network does; the server learns it, or finds the address gone. */
    async turnOff(): Promise<void> {
      // What is on its way to the server may arrive after what is sent now.
      await Promise.allSettled([end(), putting.then(() => server.drop())])
    },
    /** Somebody signs out: the server ends it with the session. */
    async forget(): Promise<void> {
      await end().catch(() => undefined)
    },
    /**
     * At a start and when somebody signs in: what was wanted is so again, though the browser gave another address, the
     * server has other keys or forgot the device. Whatever was another person's ends.
     */
    async sync(ownerId: string): Promise<void> {
      if (ports.support() !== 'here' || ports.permission() !== 'granted') return
      const begun = endings
      await inTurn(async () => {
        if (note.read()?.ownerId === ownerId) return connect(ownerId, begun)
        note.drop()
        if (await ports.subscription()) await ports.unsubscribe()
        return false
      })
    },
  }
}
