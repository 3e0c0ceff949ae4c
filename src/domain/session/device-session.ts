// The session stored on this device: stored, restored and ended.
import { same, type ViewerState } from './viewer-state.ts'
import type { StoredSession, ViewerPorts } from './viewer-ports.ts'

/** Ignores a failure of the device (private mode, no room); the session then lasts for this visit. */
export const unlessRefused = <T>(work: Promise<T>) => work.catch(() => undefined)

export type DeviceSession = ReturnType<typeof createDeviceSession>

export function createDeviceSession(ports: ViewerPorts, state: ViewerState) {
  const { device, cookie } = ports
  /** Counts the ends of sessions, so that earlier work does not restore an ended session. */
  let endings = 0

  return {
    read: () => unlessRefused(device.read()),
    /** Stores a session, on the device first, since the worker reads it there. */
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
      state.set({ is: 'authenticated', user: next.user })
    },
    async end(clear: () => Promise<void>): Promise<void> {
      endings++
      state.useToken(undefined)
      cookie.clear()
      state.set({ is: 'unauthenticated' })
      await unlessRefused(clear())
    },
    /** Restores the device's session. The cookie's token has priority, since another tab may have changed it. */
    async restore(): Promise<void> {
      const begun = endings
      const stored = await unlessRefused(device.read())
      if (begun !== endings) return
      const token = cookie.read() ?? stored?.token
      state.useToken(token)
      if (token === undefined) return state.set({ is: 'unauthenticated' })
      if (stored?.token === token) state.set({ is: 'authenticated', user: stored.user })
    },
    /** The device's token in place of a refused one, if it is of the same person. */
    async renewed(refused: string): Promise<string | undefined> {
      const stored = await unlessRefused(device.read())
      const seen = state.get()
      const samePerson = seen.is === 'authenticated' && stored?.user.id === seen.user.id
      if (!samePerson || !stored || stored.token === refused) return undefined
      state.useToken(stored.token)
      return stored.token
    },
  }
}
