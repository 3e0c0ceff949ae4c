// Recognises a file's kind by the structure of its bytes.
import { isSvgText } from '#contract/text/svg-text.ts'
import {
  type ByteSource,
  bytesOf,
  type FileBytes,
  LimitReached,
  withFile,
} from '#server/adapters/kinds/file-bytes.ts'
import { isoKind } from '#server/adapters/kinds/iso-boxes.ts'
import { type Mime, type Sniffed, sniffed } from '#server/adapters/kinds/kind.ts'
import { matroskaKind } from '#server/adapters/kinds/matroska.ts'
import { asfKind, aviKind, flvKind, hevcKind } from '#server/adapters/kinds/other-videos.ts'
import { gifKind, jpegKind, pngKind, webpKind } from '#server/adapters/kinds/pictures.ts'
import { programStreamKind } from '#server/adapters/kinds/program-stream.ts'
import { transportStreamKind } from '#server/adapters/kinds/transport-stream.ts'

export type { Sniffed } from '#server/adapters/kinds/kind.ts'

type Reader = (bytes: FileBytes) => Mime | undefined | Promise<Mime | undefined>

/** Readers of kinds that begin with different bytes: at most one of them recognises a file. */
const readers: readonly Reader[] = [
  jpegKind,
  pngKind,
  gifKind,
  webpKind,
  isoKind,
  matroskaKind,
  aviKind,
  flvKind,
  asfKind,
  hevcKind,
  programStreamKind,
  transportStreamKind,
  svgKind,
]

/** The kind of a file, or undefined when the product does not accept it. */
export const sniff = (file: string): Promise<Sniffed | undefined> => withFile(file, sniffBytes)

/** The kind of bytes, or undefined when the product does not accept it. */
export async function sniffBytes(source: ByteSource): Promise<Sniffed | undefined> {
  const bytes = await bytesOf(source)
  try {
    for (const read of readers) {
      const mime = await read(bytes)
      if (mime) return sniffed(mime)
    }
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error
  }
  return undefined
}

function svgKind({ head }: FileBytes): Mime | undefined {
  return isSvgText(head.subarray(0, 4096).toString('utf8')) ? 'image/svg+xml' : undefined
}
