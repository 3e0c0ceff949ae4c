// The path to open after signing in; only paths of this app are accepted.

const ANY_ORIGIN = 'https://here.invalid'

/** A path of this origin with its query and fragment, or `/` for anything else. */
export function returnPath(to: unknown): string {
  if (typeof to !== 'string' || !to.startsWith('/')) return '/'
  const url = URL.canParse(to, ANY_ORIGIN) ? new URL(to, ANY_ORIGIN) : undefined
  // `//host` and `/\host` name another origin.
  if (url?.origin !== ANY_ORIGIN || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}

/**
 * The path after a guest page (specification section 2): the requested one. From /login to / with a password reset in
 * the session, it is the next step of the reset.
 */
export function pathAfterSignIn(
  to: unknown,
  guestPage: string,
  user: { password_reset_token?: string | undefined },
): string {
  const path = returnPath(to)
  const resetting = guestPage === '/login' && path === '/' && user.password_reset_token !== undefined
  return resetting ? '/forgot-password/step-3' : path
}
