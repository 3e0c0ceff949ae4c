// Ports of the viewer: server, cookie, device and clock.
import type { SessionUser } from '#contract/accounts/session.ts'
import type { SessionCookie } from './session-cookie.ts'

/** A session as the device keeps it. */
export interface StoredSession {
  token: string
  user: SessionUser
}

export interface ViewerPorts {
  /** get-session with this token; `token` is the one to go on with, where there is a newer one. */
  ask: (token: string) => Promise<{ user: SessionUser; token?: string | undefined }>
  /** sign-out on the server. */
  leave: () => Promise<unknown>
  /** Puts the token on every call from here on. */
  speak: (token: string | undefined) => void
  cookie: SessionCookie
  device: {
    read: () => Promise<StoredSession | undefined>
    save: (session: StoredSession) => Promise<void>
    /** The session ended without a sign-out. */
    clear: (token?: string, closed?: 'suspended') => Promise<void>
    /** The person signs out: what is theirs goes with the session. */
    purge: (user: SessionUser) => Promise<void>
  }
  now: () => number
  log: (sentence: string) => void
}
