// Reads a zip file, and checks its names and checksums.
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type Entry, open, type Options, type ZipFile } from 'yauzl'

const openZip = promisify<string, Options, ZipFile>(open)

/** Reads a zip file. @returns the bytes of its files, by name */
export async function readZip(file: string): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await openZip(file, { lazyEntries: true, strictFileNames: true })
  const read = promisify(zip.openReadStream.bind(zip))
  const files = new Map<string, Buffer>()
  return new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', () => resolve(files))
    zip.on('entry', (entry: Entry) => {
      void read(entry)
        .then(buffer)
        .then((bytes) => {
          files.set(entry.fileName, bytes)
          zip.readEntry()
        })
        .catch(reject)
    })
    zip.readEntry()
  })
}
