// The viewer: the session of this page, kept current by get-session (specification section 4).
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
    /** Until a sign-out has cleared the device, nothing is read from it. */
    underWay: () => leaving,
    /** Ends the session here whatever the network does, and on the server when it can be reached. */
    async signOut(): Promise<void> {
      const who = state.get()
      const clear = () => (who.is === 'authenticated' ? ports.device.purge(who.user) : ports.device.clear())
      leaving ??= unlessRefused(ports.leave())
        .then(() => stored.forget(clear))
        .finally(() => (leaving = undefined))
      await leaving
    },
  }
}

/** The viewer of one page, over its ports. */
export function createViewer(ports: ViewerPorts) {
  const state = createViewerState(ports.speak)
  const stored = createDeviceSession(ports, state)
  const check = createSessionCheck(ports, state, stored)
  const leaving = createSignOut(ports, state, stored)
  const { refresh, refreshNow } = createRefreshes(async () => {
    await leaving.underWay()
    await stored.remember()
    await check()
  })

  /** Resolves once it is known whether a person is signed in. */
  async function settled(): Promise<Exclude<Viewer, { is: 'loading' }>> {
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
     * As `settled`, but the device's session suffices: the server is asked in parallel, and its reply applied later.
     */
    async known(): Promise<Exclude<Viewer, { is: 'loading' }>> {
      if (state.get().is === 'loading') await Promise.race([state.changed(), settled()])
      return settled()
    },
    settled,
    /** Takes the reply of sign-in or sign-up; a token that is not a string is logged and signs no one in. */
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
    /** The device's session changed in another tab or in the worker. */
    async deviceChanged(): Promise<void> {
      const kept = await stored.read()
      const seen = state.get()
      if (kept?.token !== state.token()) await refresh()
      else if (kept && seen.is === 'authenticated') state.become({ ...seen, user: kept.user })
    },
  }
}
