// Who is looking: the session as this page knows it, kept true by get-session (specification section 4).
import type { SessionReply, SessionUser } from '#contract/accounts/session.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
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
  /** get-session with this token; `token` is the one to go on with, where there is a newer one. */
  ask: (token: string) => Promise<{ user: SessionUser; token?: string | undefined }>
  /** sign-out on the server. */
  leave: () => Promise<unknown>
  /** Puts the token on every call from here on. */
  speak: (token: string | undefined) => void
  cookie: SessionCookie
  device: {
    read: () => Promise<Kept | undefined>
    save: (kept: Kept) => Promise<void>
    /** The session ended, and nobody here asked for it. */
    clear: (token?: string, closed?: 'suspended') => Promise<void>
    /** The person signs out: what is theirs goes with the session. */
    purge: (user: SessionUser) => Promise<void>
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
  let askingNext: Promise<void> | undefined
  /** Counts endings: what was begun before one may not bring its person back. */
  let endings = 0
  /** A sign-out under way: until the device has forgotten, nothing is read from it. */
  let leaving: Promise<void> | undefined
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

  // The device first: the worker goes on with what stands there, and a page that ends in between has lost nothing.
  async function adopt(next: Kept): Promise<void> {
    const begun = endings
    const before = await forgiving(ports.device.read())
    if (begun !== endings) return
    if (!same(before, next)) await forgiving(ports.device.save(next))
    if (begun !== endings) {
      await forgiving(ports.device.clear(next.token))
      return
    }
    if (ports.cookie.read() !== next.token) ports.cookie.write(next.token, ports.now())
    speakWith(next.token)
    become({ is: 'authenticated', user: next.user })
  }

  async function forget(clear: () => Promise<void>): Promise<void> {
    endings++
    speakWith(undefined)
    ports.cookie.clear()
    become({ is: 'unauthenticated' })
    await forgiving(clear())
  }

  /** What this device remembers; the cookie's token wins, since another tab may have changed it. */
  async function remember(): Promise<void> {
    await leaving
    const begun = endings
    const kept = await forgiving(ports.device.read())
    if (begun !== endings) return
    const known = ports.cookie.read() ?? kept?.token
    speakWith(known)
    if (known === undefined) return become({ is: 'unauthenticated' })
    if (kept?.token === known) become({ is: 'authenticated', user: kept.user })
  }

  /** A token of this device that was not refused: another tab may have exchanged the one this page speaks with. */
  async function other(refused: ReadonlySet<string>): Promise<string | undefined> {
    const kept = await forgiving(ports.device.read())
    return [ports.cookie.read(), kept?.token].find((it) => it !== undefined && !refused.has(it))
  }

  async function clearAll(refused: ReadonlySet<string>, closed?: 'suspended'): Promise<void> {
    for (const it of refused) await ports.device.clear(it, closed)
  }

  async function verify(): Promise<void> {
    const refused = new Set<string>()
    while (token !== undefined) {
      const asked = token
      try {
        const said = await ports.ask(asked)
        if (token === asked) await adopt({ token: said.token ?? asked, user: said.user })
        return
      } catch (error) {
        if (token !== asked) return
        // Nobody answered: the last known person stays, an unknown one is nobody until the next try.
        if (!(error instanceof ApiFailure && (error.status === 401 || error.code === 'suspended'))) {
          if (viewer.is === 'loading') become({ is: 'unauthenticated' })
          return
        }
        refused.add(asked)
        const next = await other(refused)
        const closed = error.code === 'suspended' ? error.code : undefined
        if (next === undefined) return forget(() => clearAll(refused, closed))
        speakWith(next)
      }
    }
  }

  /** Reads the device and asks the server again. Calls made meanwhile share one answer. */
  function refresh(): Promise<void> {
    asking ??= remember()
      .then(verify)
      .finally(() => (asking = undefined))
    return asking
  }

  /** As `refresh`, of what was changed just now: an answer that was asked for before would not know of it. */
  function refreshNow(): Promise<void> {
    if (!asking) return refresh()
    askingNext ??= asking.then(() => {
      askingNext = undefined
      return refresh()
    })
    return askingNext
  }

  /** Resolves once it is known whether somebody is signed in. */
  async function settled(): Promise<Exclude<Viewer, { is: 'loading' }>> {
    while (viewer.is === 'loading') await refresh()
    return viewer
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  const changed = () =>
    new Promise<void>((resolve) => {
      const stop = subscribe(() => {
        stop()
        resolve()
      })
    })

  return {
    get: () => viewer,
    subscribe,
    refresh,
    refreshNow,
    /** As `settled`, but what the device remembers is enough: the server is asked meanwhile, and what it says heard. */
    async known(): Promise<Exclude<Viewer, { is: 'loading' }>> {
      if (viewer.is === 'loading') await Promise.race([changed(), settled()])
      return settled()
    },
    settled,
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
      const who = viewer
      const clear = () => (who.is === 'authenticated' ? ports.device.purge(who.user) : ports.device.clear())
      leaving ??= forgiving(ports.leave())
        .then(() => forget(clear))
        .finally(() => (leaving = undefined))
      await leaving
    },
    /** The token this device has instead of a refused one, if it is the same person's; this page goes on with it. */
    async renewed(refused: string): Promise<string | undefined> {
      const kept = await forgiving(ports.device.read())
      const samePerson = viewer.is === 'authenticated' && kept?.user.id === viewer.user.id
      if (!samePerson || !kept || kept.token === refused) return undefined
      speakWith(kept.token)
      return kept.token
    },
    /** The device's session changed in another tab or in the worker. */
    async deviceChanged(): Promise<void> {
      const kept = await forgiving(ports.device.read())
      if (kept?.token !== token) await refresh()
      else if (kept && viewer.is === 'authenticated') become({ ...viewer, user: kept.user })
    },
  }
}
