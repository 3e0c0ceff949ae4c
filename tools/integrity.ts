// Adds a digest to each file of the precache manifest: the browser refuses another answer in its place.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ManifestEntry, ManifestTransform } from 'workbox-build'

const DIST = path.join(import.meta.dirname, '..', 'dist')
/** The server writes the head of this page anew for each address (decision 026); the worker checks it otherwise. */
const SHELL = 'index.html'

/**
 * Subresource Integrity (W3C) of the built files, which the worker's requests carry while it is installed.
 * @throws an error of the file system when a listed file was not built
 */
export const withIntegrity: ManifestTransform = async (entries) => ({
  manifest: await Promise.all(entries.map((it) => (it.url === SHELL ? it : integrityOf(it)))),
  warnings: [],
})

async function integrityOf<T extends ManifestEntry>(entry: T): Promise<T> {
  const digest = createHash('sha384').update(await readFile(path.join(DIST, entry.url)))
  return { ...entry, integrity: `sha384-${digest.digest('base64')}` }
}
