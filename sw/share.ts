// The share target: opens the editor with what another app shares.
import { MAX_CONTENT, MAX_IMAGES, MAX_TOTAL_BYTES } from '#contract/limits.ts'
import type { ShareTrouble } from '#contract/paths.ts'
import type { Shared } from '#device/database/schema.ts'

/** The stored fields of a share. */
type Share = Pick<Shared, 'text' | 'files'>

/** UTF-16 units of a text that are used: the longest post, in the longest grapheme clusters that people write. */
const MAX_TEXT = MAX_CONTENT * 20

const editorUrl = (search: Record<string, string>) => `/post/upload2?${new URLSearchParams(search)}`
const errorUrl = (reason: ShareTrouble) => editorUrl({ share: reason })

/** Joins title, text and address, each once: many apps send the same text in two of them. */
function textOf(form: FormData): string {
  const values = ['title', 'text', 'url'].map((name) => form.get(name)).filter((it) => typeof it === 'string')
  const lines = values.map((it) => it.replaceAll('\r\n', '\n').trim())
  return lines
    .filter(
      (it, i) =>
        it !== '' && !lines.some((other, n) => n !== i && other.includes(it) && (n < i || other !== it)),
    )
    .join('\n')
    .slice(0, MAX_TEXT)
}

/** The files of the share, at most one more than a post may have: the editor then reports that there were too many. */
function filesOf(form: FormData): File[] {
  const parts = form.getAll('media').filter((it) => it instanceof File)
  return parts.filter((it) => it.size > 0).slice(0, MAX_IMAGES + 1)
}

/** Returns the address to open: the editor with the stored share, or with the reason why it was not stored. */
async function receive(
  form: () => Promise<FormData>,
  store: (it: Share) => Promise<string>,
): Promise<string> {
  try {
    const data = await form()
    const [text, files] = [textOf(data), filesOf(data)]
    if (text === '' && files.length === 0) return errorUrl('empty')
    if (files.reduce((sum, it) => sum + it.size, 0) > MAX_TOTAL_BYTES) return errorUrl('large')
    return editorUrl({ draft: await store({ text, files }) })
  } catch (error) {
    console.error('Upload error!', error)
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError'
    return errorUrl(isFull ? 'full' : 'failed')
  }
}

/**
 * Answers the form of the share sheet.
 * @param store stores the share on the device and returns its id
 * @returns a redirect to the editor, 303: the browser then requests that page by GET
 */
export async function receiveShare(
  request: Pick<Request, 'url' | 'formData'>,
  store: (it: Share) => Promise<string>,
): Promise<Response> {
  const to = await receive(() => request.formData(), store)
  return Response.redirect(new URL(to, request.url).href, 303)
}
