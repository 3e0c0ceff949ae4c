// The page somebody wanted before they were asked to sign in. Only addresses of this app count.

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
 * Where a signed-in person goes on to from a page for guests (specification section 2): to what they wanted; from /login
 * to / with a password reset in the session, to its next step instead.
 */
export function pathAfterSignIn(
  to: unknown,
  door: string,
  user: { password_reset_token?: string | undefined },
): string {
  const path = wantedPath(to)
  const resetting = door === '/login' && path === '/' && user.password_reset_token !== undefined
  return resetting ? '/forgot-password/step-3' : path
}
