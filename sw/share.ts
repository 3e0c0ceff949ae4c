// Share target: takes what another app shares into the editor.
import { MAX_CONTENT, MAX_IMAGES, MAX_TOTAL_BYTES } from '#contract/limits.ts'
import type { ShareTrouble } from '#contract/paths.ts'
import type { Shared } from '#device/database/schema.ts'

/** The stored part of a share. */
type Share = Pick<Shared, 'text' | 'files'>

/** Characters of a text that are looked at: the longest post, in the longest grapheme clusters people write. */
const MAX_TEXT = MAX_CONTENT * 20

const editor = (search: Record<string, string>) => `/post/upload2?${new URLSearchParams(search)}`
const trouble = (share: ShareTrouble) => editor({ share })

/** Title, text and address, each once: many apps send the same in two of them. */
function textOf(form: FormData): string {
  const said = ['title', 'text', 'url'].map((name) => form.get(name)).filter((it) => typeof it === 'string')
  const lines = said.map((it) => it.replaceAll('\r\n', '\n').trim())
  return lines
    .filter(
      (it, i) =>
        it !== '' && !lines.some((other, n) => n !== i && other.includes(it) && (n < i || other !== it)),
    )
    .join('\n')
    .slice(0, MAX_TEXT)
}

/** One more picture than a post may have is taken: the editor then says that there were too many. */
function filesOf(form: FormData): File[] {
  const given = form.getAll('media').filter((it) => it instanceof File)
  return given.filter((it) => it.size > 0).slice(0, MAX_IMAGES + 1)
}

/** Where the share sheet's form leads: the editor with what was shared, or with the reason why it is not there. */
async function receive(form: () => Promise<FormData>, keep: (it: Share) => Promise<string>): Promise<string> {
  try {
    const sent = await form()
    const [text, files] = [textOf(sent), filesOf(sent)]
    if (text === '' && files.length === 0) return trouble('empty')
    if (files.reduce((sum, it) => sum + it.size, 0) > MAX_TOTAL_BYTES) return trouble('large')
    return editor({ draft: await keep({ text, files }) })
  } catch (error) {
    console.error('Upload error!', error)
    const full = error instanceof DOMException && error.name === 'QuotaExceededError'
    return trouble(full ? 'full' : 'failed')
  }
}

/**
 * Answers the share sheet's form.
 * @param keep keeps the share on the device and gives its id
 * @returns a redirect to the editor, 303: the browser then requests that page by GET
 */
export async function receiveShare(
  request: Pick<Request, 'url' | 'formData'>,
  keep: (it: Share) => Promise<string>,
): Promise<Response> {
  const to = await receive(() => request.formData(), keep)
  return Response.redirect(new URL(to, request.url).href, 303)
}
