// Checks the zip by a HEAD request, so that the page can show a refusal.
import { isOwnSuccess, readRefusal } from '#contract/response.ts'
import { EXPORT_COOKIE, EXPORT_COOKIE_S, EXPORT_FILE_PATH } from '#contract/accounts/export.ts'
import { API_BASE } from '#contract/paths.ts'
import { ApiFailure } from '#src/domain/api/api.ts'

export type ZipAccess =
  | { readonly is: 'available'; readonly href: string }
  /** A password validation is required first. */
  | { readonly is: 'closed' }
  /** The zip has expired, or the link is of another account. */
  | { readonly is: 'gone' }

/**
 * Whether this browser may download the zip, by its cookie.
 * @param token of the email's link
 */
export async function requestZip(token: string | undefined): Promise<ZipAccess> {
  const href = API_BASE + EXPORT_FILE_PATH
  document.cookie = secretCookie(href, token)
  const init: RequestInit = { method: 'HEAD', credentials: 'same-origin', redirect: 'manual' }
  const response = await fetch(href, init).catch(() => undefined)
  if (!response) throw new ApiFailure('offline', 0)
  const { status } = response
  const header = (name: string) => response.headers.get(name)
  const head = { status, header, body: '' }
  // Older servers do not send the header of own replies, but the zip's type.
  if (isOwnSuccess(head) || (response.ok && header('Content-Type') === 'application/zip'))
    return { is: 'available', href }
  if (!readRefusal(head)) throw new ApiFailure('foreign', 0)
  if (status === 403) return { is: 'closed' }
  if (status === 410) return { is: 'gone' }
  throw new ApiFailure(status === 401 ? 'unauthenticated' : 'unavailable', status)
}

/** Sets the secret for requests of the zip alone; without one removes that of an earlier link. */
function secretCookie(path: string, token = ''): string {
  const parts = [
    `${EXPORT_COOKIE}=${encodeURIComponent(token)}`,
    `Path=${path}`,
    `Max-Age=${token === '' ? 0 : EXPORT_COOKIE_S}`,
    'SameSite=Strict',
    ...(location.protocol === 'https:' ? ['Secure'] : []),
  ]
  return parts.join('; ')
}
