// This page's session: the viewer with its cookie, device and server.
import type { Endpoint } from '#contract/endpoint.ts'
import { useStore } from '#src/lib/store.ts'
import { getSession, receivedSession, signOut } from '#contract/accounts/session.ts'
import { onChange } from '#device/database/changes.ts'
import type { CallInput } from '#contract/client.ts'
import { bearer, call, callWith } from '#src/domain/api/api.ts'
import { afterFirstPage } from '#src/lib/idle.ts'
import { createSessionCookie } from './session-cookie.ts'
import { createViewer } from './viewer.ts'
import type { Viewer } from './viewer-state.ts'

/** Interval of get-session requests, ms. */
const REFRESH_EVERY = 5 * 60_000
/** Longest wait for the server at a sign-out, ms. */
const LEAVE_MS = 5000

// The database's code is loaded beside the first paint, not before it.
const device = () => import('#device/session/session.ts')
const purge = () => import('#device/session/purge.ts')

const cookie = createSessionCookie(document, {
  secure: location.protocol === 'https:',
  domain: import.meta.env.VITE_COOKIE_DOMAIN,
})

export const viewer = createViewer({
  getSession: (token) => callWith(token)(getSession, { query: { build: import.meta.env.VITE_BUILD } }),
  signOut: () => call(signOut, {}, AbortSignal.timeout(LEAVE_MS)),
  useToken: (token) => (bearer.token = token),
  cookie,
  device: {
    read: async () => (await device()).readSession(),
    save: async (stored) => (await device()).saveSession(stored),
    clear: async (token, closed) => (await device()).clearSession(token, closed),
    purge: async (user) => {
      const history = await import('./search-history.ts')
      history.clearHistory()
      // A push service without a reply must not delay the sign-out.
      void import('#src/domain/push/push.ts')
        .then(({ endPushAtSignOut }) => endPushAtSignOut())
        .catch(() => undefined)
      await (await purge()).purgePerson(user)
    },
  },
  now: Date.now,
  log: (sentence) => console.error(sentence),
})

/**
 * Calls an endpoint that returns a session and signs in with it: sign-in, passkey or confirmed registration.
 * @returns false when the token of the reply is not text: it is logged, and the person stays signed out (section 8)
 * @throws ApiFailure as `call` does
 */
export async function signInBy<E extends Endpoint>(
  endpoint: E,
  args: Pick<CallInput<E>, keyof CallInput<E>>,
): Promise<boolean> {
  return viewer.signedIn(await call({ ...(endpoint as Endpoint), reply: receivedSession }, args))
}

/** Whether this device has a token: most likely a person is signed in. */
export const seemsSignedIn = (): boolean => cookie.read() !== undefined

/** Checks the session now, every five minutes, on focus and with the network; renews cookies on unload. */
export function startSessionRefresh(): void {
  const refresh = () => void viewer.refresh()
  bearer.renewed = viewer.renewed
  bearer.refused = refresh
  refresh()
  // Deletes rows that a tab wrote after a sign-out, after the first page is drawn.
  void afterFirstPage()
    .then(purge)
    .then(({ sweepSignedOut }) => sweepSignedOut())
    .catch((error: unknown) => console.error(error))
  setInterval(() => document.visibilityState === 'visible' && refresh(), REFRESH_EVERY)
  window.addEventListener('focus', refresh)
  window.addEventListener('online', refresh)
  // An app that is swiped away gets no `pagehide`, so the cookie is renewed when the page is hidden too.
  window.addEventListener('pagehide', () => cookie.renew(Date.now()))
  document.addEventListener(
    'visibilitychange',
    () => document.visibilityState === 'hidden' && cookie.renew(Date.now()),
  )
  onChange((change) => {
    if (change.store === 'session') void viewer.deviceChanged()
  })
}

/** The viewer, as a hook. */
export function useViewer(): Viewer {
  return useStore(viewer)
}

/** The person signed in, on pages that only a member can reach. */
export function useMember() {
  const it = useViewer()
  return it.is === 'authenticated' ? it.user : undefined
}
