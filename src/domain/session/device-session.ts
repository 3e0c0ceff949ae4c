// The session that this device keeps: taken over, read at a start, given up.
import { same, type ViewerState } from './viewer-state.ts'
import type { StoredSession, ViewerPorts } from './viewer-ports.ts'

/** A device that cannot store it (private mode, no room) still allows a session for this visit. */
export const unlessRefused = <T>(work: Promise<T>) => work.catch(() => undefined)

export type DeviceSession = ReturnType<typeof createDeviceSession>

export function createDeviceSession(ports: ViewerPorts, state: ViewerState) {
  const { device, cookie } = ports
  /** Counts the ends of sessions: what began before one does not bring its person back. */
  let endings = 0

  return {
    read: () => unlessRefused(device.read()),
    /** The device first: the worker uses its session, and a page that closes in between loses nothing. */
    async adopt(next: StoredSession): Promise<void> {
      const begun = endings
      const before = await unlessRefused(device.read())
      if (begun !== endings) return
      if (!same(before, next)) await unlessRefused(device.save(next))
      if (begun !== endings) {
        await unlessRefused(device.clear(next.token))
        return
      }
      if (cookie.read() !== next.token) cookie.write(next.token, ports.now())
      state.useToken(next.token)
      state.become({ is: 'authenticated', user: next.user })
    },
    async forget(clear: () => Promise<void>): Promise<void> {
      endings++
      state.useToken(undefined)
      cookie.clear()
      state.become({ is: 'unauthenticated' })
      await unlessRefused(clear())
    },
    /** The device's session; the cookie's token wins, since another tab may have changed it. */
    async remember(): Promise<void> {
      const begun = endings
      const stored = await unlessRefused(device.read())
      if (begun !== endings) return
      const known = cookie.read() ?? stored?.token
      state.useToken(known)
      if (known === undefined) return state.become({ is: 'unauthenticated' })
      if (stored?.token === known) state.become({ is: 'authenticated', user: stored.user })
    },
    /** The device's token in place of a refused one, if it is the same person's; this page continues with it. */
    async renewed(refused: string): Promise<string | undefined> {
      const kept = await unlessRefused(device.read())
      const seen = state.get()
      const samePerson = seen.is === 'authenticated' && kept?.user.id === seen.user.id
      if (!samePerson || !kept || kept.token === refused) return undefined
      state.useToken(kept.token)
      return kept.token
    },
  }
}
