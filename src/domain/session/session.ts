// This page's session: the viewer over the real cookie, device and server, and what keeps it true.
import { useSyncExternalStore } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { getSession, receivedSession, signOut } from '#contract/accounts/session.ts'
import { onChange } from '#device/database/changes.ts'
import { bearer, call, type CallArgs, callWith } from '#src/domain/api/api.ts'
import { afterFirstPage } from '#src/lib/idle.ts'
import { sessionCookie } from './session-cookie.ts'
import { createViewer, type Viewer } from './viewer.ts'

/** get-session is asked again this often, ms. */
const REFRESH_EVERY = 5 * 60_000
/** Whoever signs out on a bad line does not wait longer than this for the server, ms. */
const LEAVE_MS = 5000

// The database arrives beside the first paint, not before it.
const device = () => import('#device/session/session.ts')
const purge = () => import('#device/session/purge.ts')

const cookie = sessionCookie(document, {
  secure: location.protocol === 'https:',
  domain: import.meta.env.VITE_COOKIE_DOMAIN,
})

export const viewer = createViewer({
  ask: (token) => callWith(token)(getSession, {}),
  leave: () => call(signOut, {}, AbortSignal.timeout(LEAVE_MS)),
  speak: (token) => (bearer.token = token),
  cookie,
  device: {
    read: async () => (await device()).readSession(),
    save: async (kept) => (await device()).saveSession(kept),
    clear: async (token, closed) => (await device()).clearSession(token, closed),
    purge: async (user) => {
      const history = await import('./search-history.ts')
      history.forgetHistory()
      // A push service that does not answer keeps nobody signed in.
      void import('#src/domain/push/push.ts').then(({ forgetPush }) => forgetPush()).catch(() => undefined)
      await (await purge()).purgePerson(user)
    },
  },
  now: Date.now,
  log: (sentence) => console.error(sentence),
})

/**
 * Calls an endpoint that answers with a session (sign-in, passkey sign-in, confirmed registration) and signs in with it.
 * @returns false when the token of the reply is not text: it is logged, and the person stays signed out (section 8)
 * @throws ApiFailure as `call` does
 */
export async function openSession<E extends Endpoint>(
  endpoint: E,
  args: Pick<CallArgs<E>, keyof CallArgs<E>>,
): Promise<boolean> {
  return viewer.signedIn(await call({ ...(endpoint as Endpoint), reply: receivedSession }, args))
}

/** Whether this device has a token: most likely somebody is signed in. */
export const seemsSignedIn = (): boolean => cookie.read() !== undefined

/** Asks at once, every five minutes, on focus and when the network is back; renews the cookies on unload. */
export function keepSessionTrue(): void {
  const refresh = () => void viewer.refresh()
  bearer.renewed = viewer.renewed
  bearer.refused = refresh
  refresh()
  // What a tab wrote for somebody who had just signed out. The first page comes first.
  void afterFirstPage()
    .then(purge)
    .then(({ sweepLeft }) => sweepLeft())
    .catch((error: unknown) => console.error(error))
  setInterval(() => document.visibilityState === 'visible' && refresh(), REFRESH_EVERY)
  window.addEventListener('focus', refresh)
  window.addEventListener('online', refresh)
  // A page that is left may not be given its last lines, and an app that is swiped away never is: hiding counts too.
  window.addEventListener('pagehide', () => cookie.renew(Date.now()))
  document.addEventListener(
    'visibilitychange',
    () => document.visibilityState === 'hidden' && cookie.renew(Date.now()),
  )
  onChange((change) => {
    if (change.store === 'session') void viewer.deviceChanged()
  })
}

/** Who is looking. */
export function useViewer(): Viewer {
  return useSyncExternalStore(viewer.subscribe, viewer.get)
}

/** The person signed in, on pages that only a member can reach. */
export function useMember() {
  const it = useViewer()
  return it.is === 'authenticated' ? it.user : undefined
}
