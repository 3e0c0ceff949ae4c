// Checks a token with get-session, and after a refusal the device's other tokens.
import { ApiFailure } from '#src/domain/api/api.ts'
import type { DeviceSession } from './device-session.ts'
import type { ViewerState } from './viewer-state.ts'
import type { ViewerPorts } from './viewer-ports.ts'

/** Creates the check, which applies the server's reply to state and device. */
export function createSessionCheck(ports: ViewerPorts, state: ViewerState, stored: DeviceSession) {
  /** A token of this device that was not refused, since another tab may have exchanged it. */
  async function other(refused: ReadonlySet<string>): Promise<string | undefined> {
    const device = await stored.read()
    return [ports.cookie.read(), device?.token].find((it) => it !== undefined && !refused.has(it))
  }

  async function clearAll(refused: ReadonlySet<string>, closed?: 'suspended'): Promise<void> {
    for (const it of refused) await ports.device.clear(it, closed)
  }

  return async function check(): Promise<void> {
    const refused = new Set<string>()
    for (let token = state.token(); token !== undefined; token = state.token()) {
      try {
        const reply = await ports.getSession(token)
        if (state.token() === token) await stored.adopt({ token: reply.token ?? token, user: reply.user })
        return
      } catch (error) {
        if (state.token() !== token) return
        // Without a reply the last person stays; an unknown one is treated as signed out until the next try.
        if (!(error instanceof ApiFailure && (error.status === 401 || error.code === 'suspended'))) {
          if (state.get().is === 'loading') state.set({ is: 'unauthenticated' })
          return
        }
        refused.add(token)
        const next = await other(refused)
        const closed = error.code === 'suspended' ? error.code : undefined
        if (next === undefined) return stored.end(() => clearAll(refused, closed))
        state.useToken(next)
      }
    }
  }
}
