// Shares a post by the device's share sheet or, without one, copies its URL.
import { copyText } from '#src/ui/text/copy-text.ts'
import { postText as words } from './text.ts'

const urlOf = (id: string) => new URL(`/post/${id}`, location.href).href

export const copyLink = (id: string): Promise<void> => copyText(urlOf(id), words)

/**
 * @param authorName named in the shared text, which has no content of the post
 */
export async function share(id: string, authorName: string): Promise<void> {
  const data = { title: words.sharedText(authorName), url: urlOf(id) }
  if (!navigator.canShare?.(data)) return copyLink(id)
  try {
    await navigator.share(data)
  } catch (error) {
    // An AbortError means that the person closed the sheet.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyLink(id)
  }
}
