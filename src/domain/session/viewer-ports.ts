// Ports of the viewer: server, cookie, device and clock.
import type { SessionUser } from '#contract/accounts/session.ts'
import type { SessionCookie } from './session-cookie.ts'

/** A session as it is stored on the device. */
export interface StoredSession {
  token: string
  user: SessionUser
}

export interface ViewerPorts {
  /** Calls get-session with a token; the reply's `token` replaces it. */
  getSession: (token: string) => Promise<{ user: SessionUser; token?: string | undefined }>
  /** Signs out on the server. */
  signOut: () => Promise<unknown>
  /** Sets the token of every further call. */
  useToken: (token: string | undefined) => void
  cookie: SessionCookie
  device: {
    read: () => Promise<StoredSession | undefined>
    save: (session: StoredSession) => Promise<void>
    /** Deletes a session that ended without a sign-out. */
    clear: (token?: string, closed?: 'suspended') => Promise<void>
    /** Deletes the session and the person's data at a sign-out. */
    purge: (user: SessionUser) => Promise<void>
  }
  now: () => number
  log: (sentence: string) => void
}
