// Tells the editor the kind of a picked file, by the server's own reader.
import { imageExtensions, type MediaKind, videoExtensions } from '#contract/posts/media.ts'
import { blobSource } from './file-bytes.ts'
import type { Sniffed } from './kind.ts'
import { sniffBytes } from './sniff.ts'

export interface Recognised {
  /** The format as an extension: `jpg`, `heic`, `mov`, `webm` … */
  readonly format: string
  readonly mime: string
  /** Undefined for formats that the server converts and the editor does not list (specification section 5): `webm`. */
  readonly kind: MediaKind | undefined
}

/** Recognises a file by the structure of its bytes; undefined for one that the server would refuse. */
export async function recognise(file: Blob): Promise<Recognised | undefined> {
  const seen = await sniffBytes(blobSource(file))
  return seen && { format: seen.extension, mime: seen.mime, kind: listedKind(seen) }
}

/** The kind by the lists of section 5. */
function listedKind({ kind, extension }: Sniffed): MediaKind | undefined {
  const extensions: readonly string[] = kind === 'image' ? imageExtensions : videoExtensions
  return extensions.includes(extension) ? kind : undefined
}
