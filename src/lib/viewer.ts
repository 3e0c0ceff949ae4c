// Who is looking: the session as this page knows it, kept true by get-session (specification section 4).
import type { SessionReply, SessionUser } from '#contract/session.ts'
import { ApiFailure } from './api.ts'
import type { SessionCookie } from './session-cookie.ts'

export type Viewer =
  | { is: 'loading' }
  | { is: 'authenticated'; user: SessionUser }
  | { is: 'unauthenticated' }

interface Kept {
  token: string
  user: SessionUser
}

export interface ViewerPorts {
  /** get-session with this token. */
  ask: (token: string) => Promise<SessionUser>
  /** sign-out on the server. */
  leave: () => Promise<unknown>
  /** Puts the token on every call from here on. */
  speak: (token: string | undefined) => void
  cookie: SessionCookie
  device: {
    read: () => Promise<Kept | undefined>
    save: (kept: Kept) => Promise<void>
    clear: (token?: string) => Promise<void>
  }
  now: () => number
  log: (sentence: string) => void
}

export type ViewerStore = ReturnType<typeof createViewer>

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The viewer of one page, over its ports. */
export function createViewer(ports: ViewerPorts) {
  let viewer: Viewer = { is: 'loading' }
  let token: string | undefined
  let asking: Promise<void> | undefined
  const listeners = new Set<() => void>()

  function become(next: Viewer): void {
    if (same(viewer, next)) return
    viewer = next
    for (const listener of listeners) listener()
  }

  function speakWith(next: string | undefined): void {
    token = next
    ports.speak(next)
  }

  // A device that refuses to remember (private mode, no room) still lets a person in for this visit.
  const forgiving = <T>(work: Promise<T>) => work.catch(() => undefined)

  async function adopt(next: Kept): Promise<void> {
    const before = await forgiving(ports.device.read())
    if (!same(before, next)) await forgiving(ports.device.save(next))
    if (ports.cookie.read() !== next.token) ports.cookie.write(next.token, ports.now())
    speakWith(next.token)
    become({ is: 'authenticated', user: next.user })
  }

  async function forget(): Promise<void> {
    const gone = token
    speakWith(undefined)
    ports.cookie.clear()
    become({ is: 'unauthenticated' })
    await forgiving(ports.device.clear(gone))
  }

  /** What this device remembers; the cookie's token wins, since another tab may have changed it. */
  async function remember(): Promise<void> {
    const kept = await forgiving(ports.device.read())
    const known = ports.cookie.read() ?? kept?.token
    speakWith(known)
    if (known === undefined) return become({ is: 'unauthenticated' })
    if (kept?.token === known) become({ is: 'authenticated', user: kept.user })
  }

  async function verify(): Promise<void> {
    const asked = token
    if (asked === undefined) return
    try {
      const user = await ports.ask(asked)
      if (token === asked) await adopt({ token: asked, user })
    } catch (error) {
      if (token !== asked) return
      if (error instanceof ApiFailure && error.status === 401) await forget()
      // Nobody answered: the last known person stays, an unknown one is nobody until the next try.
      else if (viewer.is === 'loading') become({ is: 'unauthenticated' })
    }
  }

  /** Reads the device and asks the server again. Calls made meanwhile share one answer. */
  function refresh(): Promise<void> {
    asking ??= remember()
      .then(verify)
      .finally(() => (asking = undefined))
    return asking
  }

  return {
    get: () => viewer,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    refresh,
    /** Resolves once it is known whether somebody is signed in. */
    async settled(): Promise<Exclude<Viewer, { is: 'loading' }>> {
      while (viewer.is === 'loading') await refresh()
      return viewer
    },
    /** Takes the reply of sign-in or sign-up; a token that is not text is logged and lets nobody in. */
    async signedIn(reply: Pick<SessionReply, 'user'> & { token: unknown }): Promise<boolean> {
      if (typeof reply.token !== 'string' || reply.token === '') {
        ports.log('sign-in: the token is not a string')
        return false
      }
      await adopt({ token: reply.token, user: reply.user })
      return true
    },
    /** Ends the session here whatever the network does, and on the server when it can be reached. */
    async signOut(): Promise<void> {
      await forgiving(ports.leave())
      await forget()
    },
    /** The device's session changed in another tab or in the worker. */
    async deviceChanged(): Promise<void> {
      const kept = await forgiving(ports.device.read())
      if (kept?.token !== token) await refresh()
    },
  }
}
