// Test fixture: a viewer with a cookie, a device and a server of the test.
import type { SessionUser } from '#contract/accounts/session.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import { createViewer } from '#src/domain/session/viewer.ts'
import type { ViewerPorts } from '#src/domain/session/viewer-ports.ts'
import type { Viewer } from '#src/domain/session/viewer-state.ts'

/** A person of this name. */
export const user = (name: string): SessionUser => ({
  id: '01a1fdae-0f09-7f2d-b590-7c3e03896ff8',
  email: `${name}@todoke.example`,
  name,
  role: 'member',
  avatar_url: null,
})
/** A person with a session. */
export const asa = { token: 'asa-token', user: user('asa') }
const refused = new ApiFailure('unauthenticated', 401)
const offline = new ApiFailure('offline', 0)

interface Start {
  cookie?: string
  device?: { token: string; user: SessionUser }
  server?: Record<string, SessionUser>
  reachable?: boolean
  deviceBroken?: boolean
  refusal?: ApiFailure
  /** Old token → the one that get-session returns for it. */
  exchanged?: Record<string, string>
}

/** The state of a test's cookie, device and server, with a record of calls. */
function stateOf(start: Start) {
  return {
    cookie: start.cookie,
    device: start.device,
    server: { ...start.server } as Record<string, SessionUser>,
    reachable: start.reachable ?? true,
    token: undefined as string | undefined,
    saves: 0,
    purged: [] as string[],
    requests: [] as string[],
    log: [] as string[],
    /** The server replies after this promise. */
    answering: Promise.resolve() as Promise<unknown>,
    /** The device's reads and deletions wait for these promises. */
    reading: Promise.resolve() as Promise<unknown>,
    read: (() => undefined) as (it?: unknown) => void,
    /** The device has stored a session after this promise. */
    saving: Promise.resolve() as Promise<unknown>,
    purging: Promise.resolve() as Promise<unknown>,
    purgedNow: (() => undefined) as (it?: unknown) => void,
  }
}

/** Cookie, device and server over that state. */
function portsOf(start: Start, state: ReturnType<typeof stateOf>): ViewerPorts {
  return {
    getSession: async (token) => {
      state.requests.push(token)
      await state.answering
      if (!state.reachable) throw offline
      const found = state.server[token]
      if (!found) throw start.refusal ?? refused
      return { user: found, token: start.exchanged?.[token] }
    },
    signOut: async () => {
      if (!state.reachable) throw offline
      delete state.server[state.token ?? '']
    },
    useToken: (token) => (state.token = token),
    cookie: {
      read: () => state.cookie,
      write: (token) => (state.cookie = token),
      renew: () => {},
      clear: () => (state.cookie = undefined),
    },
    device: {
      read: async () => {
        if (start.deviceBroken) throw new Error('no database here')
        await state.reading
        return state.device
      },
      save: async (stored) => {
        if (start.deviceBroken) throw new Error('no database here')
        state.saves++
        await state.saving
        state.device = stored
      },
      clear: async (token) => {
        if (token === undefined || state.device?.token === token) state.device = undefined
      },
      purge: async (leaving) => {
        await state.purging
        state.device = undefined
        state.purged.push(leaving.name)
      },
    },
    now: () => 0,
    log: (sentence) => state.log.push(sentence),
  }
}

/** A page's viewer over the test's ports; `seen` has all its states. */
export function world(start: Start) {
  const state = stateOf(start)
  const seen: Viewer[] = []
  const viewer = createViewer(portsOf(start, state))
  viewer.subscribe(() => seen.push(viewer.get()))
  return { viewer, state, seen }
}
