// Copies a text to the clipboard; false where that is not possible.
import { toast } from '#src/ui/overlays/toast.ts'

/** @param says the sentences for success and failure; a browser may refuse the clipboard */
export async function copyText(content: string, says: { copied: string; notCopied: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(content)
    toast(says.copied, 'success')
  } catch {
    toast(says.notCopied, 'error')
  }
}
