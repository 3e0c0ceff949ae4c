// Checks a token with get-session, and after a refusal the device's other tokens.
import { ApiFailure } from '#src/domain/api/api.ts'
import type { DeviceSession } from './device-session.ts'
import type { ViewerState } from './viewer-state.ts'
import type { ViewerPorts } from './viewer-ports.ts'

/** A function that asks, and leaves state and device as the server answered. */
export function createSessionCheck(ports: ViewerPorts, state: ViewerState, stored: DeviceSession) {
  /** A token of this device that was not refused: another tab may have exchanged this page's token. */
  async function other(refused: ReadonlySet<string>): Promise<string | undefined> {
    const kept = await stored.read()
    return [ports.cookie.read(), kept?.token].find((it) => it !== undefined && !refused.has(it))
  }

  async function clearAll(refused: ReadonlySet<string>, closed?: 'suspended'): Promise<void> {
    for (const it of refused) await ports.device.clear(it, closed)
  }

  return async function check(): Promise<void> {
    const refused = new Set<string>()
    for (let asked = state.token(); asked !== undefined; asked = state.token()) {
      try {
        const said = await ports.ask(asked)
        if (state.token() === asked) await stored.adopt({ token: said.token ?? asked, user: said.user })
        return
      } catch (error) {
        if (state.token() !== asked) return
        // No reply: the last known person stays, an unknown one is treated as signed out until the next try.
        if (!(error instanceof ApiFailure && (error.status === 401 || error.code === 'suspended'))) {
          if (state.get().is === 'loading') state.become({ is: 'unauthenticated' })
          return
        }
        refused.add(asked)
        const next = await other(refused)
        const closed = error.code === 'suspended' ? error.code : undefined
        if (next === undefined) return stored.forget(() => clearAll(refused, closed))
        state.useToken(next)
      }
    }
  }
}
