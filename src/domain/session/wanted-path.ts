// The page that a person wanted before they had to sign in. Only addresses of this app count.

const HERE = 'https://here.invalid'

/** A path of this origin with its query and fragment, or `/` for anything else. */
export function wantedPath(to: unknown): string {
  if (typeof to !== 'string' || !to.startsWith('/')) return '/'
  const url = URL.canParse(to, HERE) ? new URL(to, HERE) : undefined
  // `//host` and `/\host` name another origin.
  if (url?.origin !== HERE || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}

/**
 * The page after a guest page (specification section 2): the wanted one; from /login to / with a password reset in the
 * session, the next step of the reset instead.
 */
export function pathAfterSignIn(
  to: unknown,
  guestPage: string,
  user: { password_reset_token?: string | undefined },
): string {
  const path = wantedPath(to)
  const resetting = guestPage === '/login' && path === '/' && user.password_reset_token !== undefined
  return resetting ? '/forgot-password/step-3' : path
}
