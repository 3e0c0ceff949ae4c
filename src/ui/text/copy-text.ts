// Copies a text to the clipboard; false where that is not possible.
import { toast } from '#src/ui/overlays/toast.ts'

/** @param sentences the sentences for success and failure; a browser may refuse the clipboard */
export async function copyText(
  content: string,
  sentences: { copied: string; notCopied: string },
): Promise<void> {
  try {
    await navigator.clipboard.writeText(content)
    toast(sentences.copied, 'success')
  } catch {
    toast(sentences.notCopied, 'error')
  }
}
