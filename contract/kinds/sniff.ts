// Recognises a file's kind by the structure of its bytes, in browsers and on servers.
import { isSvgText } from '#contract/text/svg-text.ts'
import { BytesEnd } from './bytes.ts'
import { type ByteSource, bytesOf, type FileBytes, LimitReached } from './file-bytes.ts'
import { isAvif, isoKind } from './iso-boxes.ts'
import { type Mime, type Sniffed, sniffed } from './kind.ts'
import { matroskaKind } from './matroska.ts'
import { asfKind, aviKind, flvKind, hevcKind } from './other-videos.ts'
import { gifKind, jpegKind, pngKind, webpKind } from './pictures.ts'
import { programStreamKind } from './program-stream.ts'
import { transportStreamKind } from './transport-stream.ts'

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

/** The kind of bytes, or undefined when the product does not accept it. */
export function sniffBytes(source: ByteSource): Promise<Sniffed | undefined> {
  return readWithin(source, async (bytes) => {
    for (const read of readers) {
      const mime = await read(bytes)
      if (mime) return sniffed(mime)
    }
    return undefined
  })
}

/** Whether bytes are an AVIF, which is no kind of the server: the device converts it before anything is sent. */
export async function isAvifBytes(source: ByteSource): Promise<boolean> {
  return (await readWithin(source, isAvif)) ?? false
}

/** What a reader finds; undefined where it reaches the limits of reading or the end of the bytes. */
async function readWithin<T>(
  source: ByteSource,
  read: (bytes: FileBytes) => Promise<T>,
): Promise<T | undefined> {
  const bytes = await bytesOf(source)
  try {
    return await read(bytes)
  } catch (error) {
    if (!(error instanceof LimitReached || error instanceof BytesEnd)) throw error
  }
  return undefined
}

function svgKind({ head }: FileBytes): Mime | undefined {
  return isSvgText(head.utf8(0, 4096)) ? 'image/svg+xml' : undefined
}
