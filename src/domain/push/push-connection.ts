// Creates, registers and ends the push subscription of this device.
import type { PushDevicePorts } from './push-ports.ts'

/** Runs work one after the other, so that none removes a new subscription. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}

export function createPushConnection(ports: PushDevicePorts) {
  const { note, server } = ports
  /** Counts endings, so that work from before an ending subscribes nothing. */
  let endings = 0
  /** The latest registration on the server; never rejects. */
  let putting: Promise<unknown> = Promise.resolve()

  return {
    inTurn: createQueue(),
    endings: () => endings,
    /** Resolves when the latest registration has ended. */
    sent: () => putting,
    /**
     * Subscribes with the server's key and registers the subscription on the server.
     * @param begun number of endings at the time of the request
     * @returns false if pushes were ended in between
     */
    async connect(ownerId: string, begun: number): Promise<boolean> {
      const key = await server.key()
      const before = await ports.subscription()
      if (before && before.key !== key) await ports.unsubscribe()
      if (begun !== endings) return false
      const { endpoint, keys } = before?.key === key ? before : await ports.subscribe(key)
      if (begun !== endings) {
        // The ending came before the subscription existed.
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
      note.remove()
      return ports.unsubscribe()
    },
  }
}
