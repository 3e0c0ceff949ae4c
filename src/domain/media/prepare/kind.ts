// Recognises a picked file by its bytes, since names and browser types are often wrong.
import type { Recognised } from '#contract/kinds/recognise.ts'
import { extensionOf } from '#contract/posts/media.ts'

export type { Recognised } from '#contract/kinds/recognise.ts'

/** Loads the code that recognises files, for those who will need it at once. */
export const loadRecognition = () => import('#contract/kinds/recognise.ts')

/** Recognises a file as the server does, by code that is loaded when it is first used. */
export async function recognise(file: Blob): Promise<Recognised | undefined> {
  return (await loadRecognition()).recognise(file)
}

/** Extensions with the same meaning as a format. */
const synonyms: Record<string, readonly string[]> = { jpg: ['jpeg'], mp4: ['m4v'], m4v: ['mp4'] }

/** The file's name with the extension of its format: `clip.png` of a video becomes `clip.mp4`. */
export function nameWithTrueExtension(name: string, format: string): string {
  const extension = extensionOf(name)
  if (extension === format || synonyms[format]?.includes(extension)) return name
  const stem = extension === '' ? name : name.slice(0, -extension.length - 1)
  return `${stem || 'file'}.${format}`
}
