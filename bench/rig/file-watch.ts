// Watches a folder until a whole file is in it.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const POLL_MS = 10
const GIVE_UP_MS = 120_000

const files = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

/**
 * Starts to watch a folder.
 * @returns waits until a new file of the folder has this size, and resolves to that time, ms since 1970
 */
export function watchFor(folder: string, size: number): () => Promise<number> {
  const before = new Set(files(folder))
  return async () => {
    for (const end = Date.now() + GIVE_UP_MS; Date.now() < end;) {
      if (files(folder).some((it) => !before.has(it) && sizeOf(join(folder, it)) >= size)) return Date.now()
      await new Promise((done) => setTimeout(done, POLL_MS))
    }
    throw new Error('the file did not arrive')
  }
}
