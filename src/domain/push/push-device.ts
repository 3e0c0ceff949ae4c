// Enables, disables and repairs pushes on this device, over its ports.
import { createPushConnection } from './push-connection.ts'
import type { PushDevicePorts } from './push-ports.ts'

/**
 * `unsupported`: not in this browser. `install`: only in the app on the home screen (iOS). `denied`: without the
 * permission. `off` and `on`: as the person has chosen.
 */
export type PushStatus = 'unsupported' | 'install' | 'denied' | 'off' | 'on'

/** The result of enabling. `failed`: the browser's push service or the server did not reply. */
export type EnableResult = 'on' | 'denied' | 'failed'

function statusOf({ support, permission, note }: PushDevicePorts, ownerId: string): PushStatus {
  switch (support()) {
    case 'none':
      return 'unsupported'
    case 'install':
      return 'install'
    case 'supported': {
      if (permission() === 'denied') return 'denied'
      return permission() === 'granted' && note.read()?.ownerId === ownerId ? 'on' : 'off'
    }
  }
}

export function createPushDevice(ports: PushDevicePorts) {
  const { note, server } = ports
  const connection = createPushConnection(ports)

  return {
    status: (ownerId: string) => statusOf(ports, ownerId),
    /** Enables pushes. Called only by a press, since the browser may show its permission prompt. */
    async turnOn(ownerId: string): Promise<EnableResult> {
      const begun = connection.endings()
      if ((await ports.requestPermission()) !== 'granted') return 'denied'
      try {
        return (await connection.inTurn(() => connection.connect(ownerId, begun))) ? 'on' : 'failed'
      } catch {
        return 'failed'
      }
    },
    /** Disables pushes on the device, and on the server if it can be reached. */
    async turnOff(): Promise<void> {
      // The running registration could arrive after this request.
      await Promise.allSettled([connection.end(), connection.sent().then(() => server.drop())])
    },
    /** Ends the subscription at a sign-out; the server ends it with the session. */
    async endAtSignOut(): Promise<void> {
      await connection.end().catch(() => undefined)
    },
    /**
     * Repairs an enabled subscription at a start and at a sign-in, after a change of endpoint, key or entry. A
     * subscription of another person ends.
     */
    async sync(ownerId: string): Promise<void> {
      if (ports.support() !== 'supported' || ports.permission() !== 'granted') return
      const begun = connection.endings()
      await connection.inTurn(async () => {
        if (note.read()?.ownerId === ownerId) return connection.connect(ownerId, begun)
        note.remove()
        if (await ports.subscription()) await ports.unsubscribe()
        return false
      })
    },
  }
}
