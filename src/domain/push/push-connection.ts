// The push subscription of this device: made for one person, put to the server, ended.
import type { PushDevicePorts } from './push-ports.ts'

/** Works one after the other, so that none removes what another has just subscribed. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}

export function createPushConnection(ports: PushDevicePorts) {
  const { note, server } = ports
  /** Counts endings: what began before one turns nothing on any more. */
  let endings = 0
  /** The latest registration at the server; it never rejects. */
  let putting: Promise<unknown> = Promise.resolve()

  return {
    inTurn: createQueue(),
    endings: () => endings,
    /** Resolves when the server has answered the latest subscription, or did not. */
    sent: () => putting,
    /**
     * Subscribes with the server's key, replacing a subscription with another key, and registers it at the server.
     * @param begun number of endings when it was requested
     * @returns false if pushes were ended during it
     */
    async connect(ownerId: string, begun: number): Promise<boolean> {
      const key = await server.key()
      const before = await ports.subscription()
      if (before && before.key !== key) await ports.unsubscribe()
      if (begun !== endings) return false
      const { endpoint, keys } = before?.key === key ? before : await ports.subscribe(key)
      if (begun !== endings) {
        // The ending had no subscription to end.
        await ports.unsubscribe()
        return false
      }
      const put = server.put({ endpoint, keys })
      putting = put.catch(() => undefined)
      await put
      if (begun !== endings) return false
      note.save({ ownerId, key })
      return true
    },
    end(): Promise<void> {
      endings += 1
      note.drop()
      return ports.unsubscribe()
    },
  }
}
