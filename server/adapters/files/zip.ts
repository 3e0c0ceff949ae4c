// Writes a zip as a stream, with one file open at a time.
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** `name` is the path inside, with `/` between folders, in UTF-8. */
export type ZipEntry =
  | { readonly is: 'text'; readonly name: string; readonly text: string }
  /** Stored uncompressed, since pictures and videos are compressed already. */
  | { readonly is: 'file'; readonly name: string; readonly file: string }

/**
 * Writes a zip that only this process's user may read.
 * @param to a path without a file
 * @param now milliseconds since 1970, for the entries' dates
 */
export async function writeZip(to: string, entries: readonly ZipEntry[], now: number): Promise<void> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  const options = { mtime: new Date(now), mode: 0o100644 }
  for (const entry of entries) {
    if (entry.is === 'text') zip.addBuffer(Buffer.from(entry.text), entry.name, options)
    else zip.addFile(entry.file, entry.name, { ...options, compress: false })
  }
  zip.end()
  await pipeline(output, createWriteStream(to, { mode: 0o600, flags: 'wx' }))
}
