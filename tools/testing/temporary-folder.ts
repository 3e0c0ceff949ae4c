// Puts the temporary files of a test run in memory, where the machine has room.
import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

/** Where Linux offers a file system in memory to every user. */
const MEMORY_FOLDER = '/dev/shm'
/** The type of tmpfs in the result of statfs. */
const TMPFS = 0x0102_1994
/** Free memory and free room of a run, bytes: its files take up to 2 GB, its programs up to 7 GB. */
const NEEDED = 10 * 2 ** 30

/** @param room type of the file system, and its free bytes @param free free memory, bytes */
export function hasRoom(room: { readonly type: number; readonly free: number }, free: number): boolean {
  return room.type === TMPFS && room.free >= NEEDED && free >= NEEDED
}

/**
 * Removes the folders of this user's runs that have ended without removing them, for example by a signal. A folder with the
 * number of this process is of an earlier one.
 */
export function removeEarlier(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid = ''] = /^todoke-run-(\d+)-/.exec(name) ?? []
    if (pid === '' || (pid !== String(process.pid) && existsSync(`/proc/${pid}`))) continue
    const folder = join(parent, name)
    if (lstatSync(folder).uid === process.getuid?.()) rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Sets TMPDIR to a folder in memory until this process ends, for it and its children. On a disk, ext4 takes a third of the processor time of
 * the unit tests: each test database is hundreds of files, and ext4 avoids the inodes of files removed just before. A TMPDIR that is set
 * is used as it is.
 */
export function placeTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !existsSync(MEMORY_FOLDER)) return
  removeEarlier(MEMORY_FOLDER)
  const { type, bavail, bsize } = statfsSync(MEMORY_FOLDER)
  if (!hasRoom({ type, free: bavail * bsize }, freemem())) return
  const folder = mkdtempSync(join(MEMORY_FOLDER, `todoke-run-${process.pid}-`))
  // PostgreSQL and nginx run as users of their own.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}
