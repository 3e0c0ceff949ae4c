// Adds the SHA-256 of every precached file to the worker's manifest.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

interface Entry {
  readonly url: string
  readonly integrity?: string
}

/**
 * A transform of Workbox's manifest. Pages are excluded: the server writes their heads for each address, so `sw/cache.ts`
 * recognises them by their scripts.
 * @param folder of the built files
 */
export const addIntegrity =
  (folder: string) =>
  async <T extends Entry>(entries: T[]): Promise<{ manifest: T[] }> => ({
    manifest: await Promise.all(
      entries.map(async (it) =>
        it.url.endsWith('.html') ? it : { ...it, integrity: await integrityOf(join(folder, it.url)) },
      ),
    ),
  })

/** The digest of a file in the form of Subresource Integrity. */
async function integrityOf(file: string): Promise<string> {
  const digest = createHash('sha256').update(await readFile(file))
  return `sha256-${digest.digest('base64')}`
}
