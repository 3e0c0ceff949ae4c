// A downloaded zip, opened as any unpacker does: names checked, sums checked.
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type Entry, open, type Options, type ZipFile } from 'yauzl'

const opened = promisify<string, Options, ZipFile>(open)

/** What is in it, by name. */
export async function unzipped(file: string): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await opened(file, { lazyEntries: true, strictFileNames: true })
  const read = promisify(zip.openReadStream.bind(zip))
  const found = new Map<string, Buffer>()
  return new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', () => resolve(found))
    zip.on('entry', (entry: Entry) => {
      void read(entry)
        .then(buffer)
        .then((bytes) => {
          found.set(entry.fileName, bytes)
          zip.readEntry()
        })
        .catch(reject)
    })
    zip.readEntry()
  })
}
