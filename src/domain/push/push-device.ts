// Push subscription of this device: support, the person's choice, and repair at a start. Over its ports.
import { createPushConnection } from './push-connection.ts'
import type { PushDevicePorts } from './push-ports.ts'

/**
 * `unsupported`: not in this browser. `install`: only in the app on the home screen (iOS). `denied`: the person, or
 * their browser, has said no. `off` and `on`: as they like.
 */
export type PushStanding = 'unsupported' | 'install' | 'denied' | 'off' | 'on'

/** What became of turning them on. `failed`: the browser's push service or our server did not answer. */
export type TurnedOn = 'on' | 'denied' | 'failed'

function standingOf({ support, permission, note }: PushDevicePorts, ownerId: string): PushStanding {
  switch (support()) {
    case 'none':
      return 'unsupported'
    case 'install':
      return 'install'
    case 'here': {
      if (permission() === 'denied') return 'denied'
      return permission() === 'granted' && note.read()?.ownerId === ownerId ? 'on' : 'off'
    }
  }
}

export function createPushDevice(ports: PushDevicePorts) {
  const { note, server } = ports
  const connection = createPushConnection(ports)

  return {
    standing: (ownerId: string) => standingOf(ports, ownerId),
    /** Asks the person where the browser wants it: called by a press of theirs, and never otherwise. */
    async turnOn(ownerId: string): Promise<TurnedOn> {
      const begun = connection.endings()
      if ((await ports.askPermission()) !== 'granted') return 'denied'
      try {
        return (await connection.inTurn(() => connection.connect(ownerId, begun))) ? 'on' : 'failed'
      } catch {
        return 'failed'
      }
    },
    /** Ends them here, whatever the network does; the server learns it, or finds the address gone. */
    async turnOff(): Promise<void> {
      // What is on its way to the server may arrive after what is sent now.
      await Promise.allSettled([connection.end(), connection.sent().then(() => server.drop())])
    },
    /** The person signs out: the server ends it with the session. */
    async forget(): Promise<void> {
      await connection.end().catch(() => undefined)
    },
    /**
     * At a start and at a sign-in: renews a wanted subscription if the browser changed its endpoint, or the server its
     * keys or its entry. A subscription of another person ends.
     */
    async sync(ownerId: string): Promise<void> {
      if (ports.support() !== 'here' || ports.permission() !== 'granted') return
      const begun = connection.endings()
      await connection.inTurn(async () => {
        if (note.read()?.ownerId === ownerId) return connection.connect(ownerId, begun)
        note.drop()
        if (await ports.subscription()) await ports.unsubscribe()
        return false
      })
    },
  }
}
