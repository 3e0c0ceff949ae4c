// Names the owner of a data folder on a shared file system, with a heartbeat.
import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { FolderInUse } from './folder-in-use.ts'

interface OwnerOptions {
  /** Called once, when another process has taken the folder or the file could not be written for `PATIENCE` beats. */
  readonly lost: (error: FolderInUse) => void
  /** Time between two changes of the file, in ms. */
  readonly beatMs?: number
}

const BEAT_MS = 5000
/** In beats: an owner that changes nothing for so long has ended. */
const PATIENCE = 4

/** @returns undefined when there is no file */
async function readOwner(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Makes this process the owner. A file that an earlier owner has left is watched first, for `PATIENCE` beats; an owner that
 * ends in order leaves none. Of two that take the folder at once the last writer has it, and the other one sees so.
 * @returns a function that gives the folder back
 * @throws FolderInUse when the file of another owner changes
 */
export async function takeOwnership(
  folder: string,
  { lost, beatMs = BEAT_MS }: OwnerOptions,
): Promise<() => Promise<void>> {
  const file = path.join(folder, 'folder.owner')
  const found = await readOwner(file)
  for (let beats = found === undefined ? 0 : PATIENCE; beats > 0; beats--) {
    await delay(beatMs)
    if ((await readOwner(file)) !== found) throw new FolderInUse(folder)
  }
  const id = randomUUID()
  let count = 0
  let written = ''
  const write = async () => {
    written = `${id} ${count++}\n`
    // In place: hosts of a network file system look at the content of a file they open, and may keep names for a minute.
    await writeFile(file, written)
  }
  /** @returns whether the file is that of this owner; a file that was removed is written again */
  const isOwn = async () => [written, undefined].includes(await readOwner(file))
  await write()
  await delay(beatMs)
  if (!(await isOwn())) throw new FolderInUse(folder)

  const ended = new AbortController()
  const beat = async () => {
    let failures = 0
    while (!ended.signal.aborted) {
      await delay(beatMs, undefined, { ref: false, signal: ended.signal })
      try {
        if (!(await isOwn())) return lost(new FolderInUse(folder))
        await write()
        failures = 0
      } catch {
        if (++failures === PATIENCE) return lost(new FolderInUse(folder))
      }
    }
  }
  const beating = beat().catch((error: unknown) => {
    if (!ended.signal.aborted) throw error
  })
  return async () => {
    ended.abort()
    await beating
    if (await isOwn()) await rm(file, { force: true })
  }
}
