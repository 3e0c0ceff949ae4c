// Fetching the zip: asked first by its head, so that a refusal is said here and not by the browser.
import { EXPORT_FILE_PATH } from '#contract/export.ts'
import { API_BASE } from '#contract/paths.ts'
import { ApiFailure } from '#src/lib/api.ts'

export type ZipAnswer =
  | { readonly is: 'there'; readonly href: string }
  /** The password has to be proven first. */
  | { readonly is: 'closed' }
  /** Its time is over, or the link is another account's. */
  | { readonly is: 'gone' }

/**
 * Whether this browser may fetch the zip, by its cookie.
 * @param token the secret of the letter's link
 */
export async function askForZip(token: string | undefined): Promise<ZipAnswer> {
  const query = token === undefined ? '' : `?${new URLSearchParams({ token })}`
  const href = API_BASE + EXPORT_FILE_PATH + query
  const answer = await fetch(href, { method: 'HEAD', credentials: 'same-origin' }).catch(() => undefined)
  if (!answer) throw new ApiFailure('offline', 0)
  if (answer.ok) return { is: 'there', href }
  if (answer.status === 403) return { is: 'closed' }
  if (answer.status === 410) return { is: 'gone' }
  throw new ApiFailure(answer.status === 401 ? 'unauthenticated' : 'unavailable', answer.status)
}
