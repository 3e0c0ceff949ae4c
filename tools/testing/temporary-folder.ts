// Whether the temporary files of a run have room in memory.
import { existsSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

/** Where Linux offers a file system in memory to every user. */
export const MEMORY_FOLDER = '/dev/shm'
/** The type of tmpfs in the result of statfs. */
const TMPFS = 0x0102_1994
/** Free memory and free room of a run, bytes: its files take up to 2 GB, its programs up to 7 GB. */
const NEEDED = 10 * 2 ** 30

/** @param room type of the file system, and its free bytes @param free free memory, bytes */
export function hasRoom(room: { readonly type: number; readonly free: number }, free: number): boolean {
  return room.type === TMPFS && room.free >= NEEDED && free >= NEEDED
}

/**
 * The folder in memory for the temporary files of a run; undefined where the machine has no room, and where TMPDIR is set, which is used as it is.
 * On a disk, ext4 takes a third of the processor time of the unit tests: each test database is hundreds of files, and ext4 avoids the inodes
 * of files removed just before.
 */
export function memoryFolder(): string | undefined {
  if (process.env['TMPDIR'] !== undefined || !existsSync(MEMORY_FOLDER)) return undefined
  const { type, bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return hasRoom({ type, free: bavail * bsize }, freemem()) ? MEMORY_FOLDER : undefined
}
