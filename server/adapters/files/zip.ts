// Writes a zip as a stream, with one object read at a time.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { ObjectKey, ObjectStore } from './object-store.ts'

/** `name` is the path inside, with `/` between folders, in UTF-8. */
export type ZipEntry =
  | { readonly is: 'text'; readonly name: string; readonly text: string }
  /** Stored uncompressed, since pictures and videos are compressed already. */
  | { readonly is: 'object'; readonly name: string; readonly key: ObjectKey; readonly size: number }

/**
 * Writes a zip that only this process's user may read.
 * @param to a path without a file
 * @param now milliseconds since 1970, for the entries' dates
 */
export async function writeZip(
  { read }: Pick<ObjectStore, 'read'>,
  to: string,
  entries: readonly ZipEntry[],
  now: number,
): Promise<void> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  const options = { mtime: new Date(now), mode: 0o100644 }
  for (const entry of entries) {
    if (entry.is === 'text') zip.addBuffer(Buffer.from(entry.text), entry.name, options)
    else {
      const { key, name, size } = entry
      zip.addReadStreamLazy(name, { ...options, compress: false, size }, (done) => {
        const bytes = Readable.from(read(key))
        // yazl ends nothing when a stream fails.
        bytes.on('error', (error) => output.destroy(error))
        done(null, bytes)
      })
    }
  }
  zip.end()
  await pipeline(output, createWriteStream(to, { mode: 0o600, flags: 'wx' }))
}
