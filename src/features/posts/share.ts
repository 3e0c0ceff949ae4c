// Sharing a post: the device's own sheet where it has one, else the address is copied.
import { copyText } from '#src/ui/text/copy-text.ts'
import { postText as words } from './text.ts'

const addressOf = (id: string) => new URL(`/post/${id}`, location.href).href

export const copyLink = (id: string): Promise<void> => copyText(addressOf(id), words)

/**
 * @param authorName named in the shared text, which has no content of the post
 */
export async function share(id: string, authorName: string): Promise<void> {
  const data = { title: words.sharedText(authorName), url: addressOf(id) }
  if (!navigator.canShare?.(data)) return copyLink(id)
  try {
    await navigator.share(data)
  } catch (error) {
    // Closing the sheet is an answer too.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyLink(id)
  }
}
