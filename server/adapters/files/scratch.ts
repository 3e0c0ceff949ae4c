// Temporary files of this process, in a folder of its own on the local disk.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { digestOfFile } from './digest.ts'
import type { DiskRoom } from './disk-room.ts'

export interface Scratch {
  readonly folder: string
  /** Free space of its disk. */
  readonly room: DiskRoom
  /** A path that no file has. */
  newPath(): string
  /** The composite SHA-256 of a temporary file. */
  digestOf(file: string): Promise<string>
  /** Removes a temporary file or folder, if there is one. */
  remove(file: string): Promise<void>
}

/** Temporary files unchanged for this long are of a process that died, ms. */
const ABANDONED = 24 * 3600 * 1000

/**
 * Creates the folder, and removes those of processes that died.
 * @param parent the folder with those of all processes
 * @param shared whether other processes may use it now; their temporary files stay
 */
export async function createScratch(parent: string, shared: boolean, room: DiskRoom): Promise<Scratch> {
  await clear(parent, shared ? Date.now() - ABANDONED : Number.POSITIVE_INFINITY)
  const folder = path.join(parent, randomUUID())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    folder,
    room,
    newPath: () => path.join(folder, randomUUID()),
    digestOf: digestOfFile,
    remove: (file) => rm(file, { recursive: true, force: true }),
  }
}

async function clear(parent: string, before: number): Promise<void> {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  for (const name of await readdir(parent)) {
    const it = path.join(parent, name)
    const about = await stat(it).catch(() => undefined)
    if (about && about.mtimeMs < before) await rm(it, { recursive: true, force: true })
  }
}
