// Tells the editor the kind of a picked file, by the server's own reader.
import { imageExtensions, type MediaKind, videoExtensions } from '#contract/posts/media.ts'
import { blobSource, type ByteSource } from './file-bytes.ts'
import type { Sniffed } from './kind.ts'
import { isAvifBytes, sniffBytes } from './sniff.ts'

export interface Recognised {
  /** The format as an extension: `jpg`, `heic`, `avif`, `mov`, `webm` … */
  readonly format: string
  readonly mime: string
  /** Undefined for formats that the server converts and the editor does not list (specification section 5): `webm`. */
  readonly kind: MediaKind | undefined
}

/** An AVIF becomes a JPEG or WebP on the device: section 5 does not name it, so that no post has one. */
const avif: Recognised = { format: 'avif', mime: 'image/avif', kind: 'image' }

/** Recognises a file by the structure of its bytes; undefined for one that cannot be sent. */
export async function recognise(file: Blob): Promise<Recognised | undefined> {
  const source = withHead(blobSource(file))
  if (await isAvifBytes(source)) return avif
  const seen = await sniffBytes(source)
  return seen && { format: seen.extension, mime: seen.mime, kind: listedKind(seen) }
}

/** The same bytes, of which both examinations of the beginning get one read: reads of many picked files take long. */
function withHead({ size, read }: ByteSource): ByteSource {
  let head: { readonly length: number; readonly bytes: Promise<Uint8Array> } | undefined
  return {
    size,
    read(offset, length) {
      if (offset > 0) return read(offset, length)
      if (head?.length !== length) head = { length, bytes: read(offset, length) }
      return head.bytes
    },
  }
}

/** The kind by the lists of section 5. */
function listedKind({ kind, extension }: Sniffed): MediaKind | undefined {
  const extensions: readonly string[] = kind === 'image' ? imageExtensions : videoExtensions
  return extensions.includes(extension) ? kind : undefined
}
