// The viewer: the session of this page, refreshed by get-session (specification section 4).
import type { SessionReply } from '#contract/accounts/session.ts'
import { createDeviceSession, type DeviceSession, unlessRefused } from './device-session.ts'
import { createRefreshes } from './refreshes.ts'
import { createSessionCheck } from './session-check.ts'
import type { ViewerPorts } from './viewer-ports.ts'
import { createViewerState, type Viewer, type ViewerState } from './viewer-state.ts'

export type ViewerStore = ReturnType<typeof createViewer>

function createSignOut(ports: ViewerPorts, state: ViewerState, stored: DeviceSession) {
  let leaving: Promise<void> | undefined
  return {
    /** The running sign-out, during which nothing is read from the device. */
    running: () => leaving,
    /** Ends the session here, and on the server if it can be reached. */
    async signOut(): Promise<void> {
      const who = state.get()
      const clear = () => (who.is === 'authenticated' ? ports.device.purge(who.user) : ports.device.clear())
      leaving ??= unlessRefused(ports.signOut())
        .then(() => stored.end(clear))
        .finally(() => (leaving = undefined))
      await leaving
    },
  }
}

/** The viewer of one page, over its ports. */
export function createViewer(ports: ViewerPorts) {
  const state = createViewerState(ports.useToken)
  const stored = createDeviceSession(ports, state)
  const check = createSessionCheck(ports, state, stored)
  const leaving = createSignOut(ports, state, stored)
  const { refresh, refreshNow } = createRefreshes(async () => {
    await leaving.running()
    await stored.restore()
    await check()
  })

  /** Resolves with the viewer after the session check. */
  async function checked(): Promise<Exclude<Viewer, { is: 'loading' }>> {
    for (;;) {
      const seen = state.get()
      if (seen.is !== 'loading') return seen
      await refresh()
    }
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    refresh,
    refreshNow,
    /**
     * Resolves with the viewer as soon as the device's session is read; the server's reply is applied later.
     */
    async fromDevice(): Promise<Exclude<Viewer, { is: 'loading' }>> {
      if (state.get().is === 'loading') await Promise.race([state.changed(), checked()])
      return checked()
    },
    checked,
    /** Applies the reply of a sign-in. A token that is not a string is logged and signs no one in. */
    async signedIn(reply: Pick<SessionReply, 'user'> & { token: unknown }): Promise<boolean> {
      if (typeof reply.token !== 'string' || reply.token === '') {
        ports.log('sign-in: the token is not a string')
        return false
      }
      await stored.adopt({ token: reply.token, user: reply.user })
      return true
    },
    signOut: leaving.signOut,
    renewed: stored.renewed,
    /** Called when another tab or the worker changed the device's session. */
    async deviceChanged(): Promise<void> {
      const deviceSession = await stored.read()
      const seen = state.get()
      if (deviceSession?.token !== state.token()) await refresh()
      else if (deviceSession && seen.is === 'authenticated') state.set({ ...seen, user: deviceSession.user })
    },
  }
}
