// Locks the data folder for one process, since two on one PGlite would lose rows.
import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FolderInUse } from './folder-in-use.ts'
import { takeOwnership } from './folder-owner.ts'

/** Result code of SQLite: another connection, in this process or another one, has the lock. */
const SQLITE_BUSY = 5

/**
 * Magic numbers of Linux for file systems that several hosts may have mounted, of which some keep the locks of a host to
 * that host: NFS, SMB, CIFS, SMB2, 9P, FUSE, Ceph, AFS, OCFS2, GFS2, Lustre.
 */
const sharedFileSystems = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x00c36400, 0x5346414f, 0x7461636f,
  0x01161970, 0x0bd00bd0,
])

async function isSharedFileSystem(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  return sharedFileSystems.has((await statfs(folder)).type)
}

function endProcess(error: FolderInUse): void {
  console.error(error.message)
  process.exit(1)
}

interface LockOptions {
  /** Whether other hosts may have mounted the folder. The default asks the file system. */
  readonly isShared?: (folder: string) => boolean | Promise<boolean>
  /** Called when another process has taken the folder, of which this one must not write anything any more. */
  readonly lost?: (error: FolderInUse) => void
}

/**
 * Locks a folder for this process; the lock ends with the process. It is the lock of a file in the folder (`fcntl`, by
 * SQLite), so that every process of this machine sees it, whatever its namespaces are. On a file system that other hosts may
 * have mounted, a heartbeat in a second file is seen by them too.
 * @returns a function that releases it
 * @throws FolderInUse; an error with `EACCES` or `EROFS` for a folder that cannot be written
 */
export async function lockFolder(
  folder: string,
  { isShared = isSharedFileSystem, lost = endProcess }: LockOptions = {},
): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  const unlock = lockFile(path.join(folder, 'folder.lock'), folder)
  try {
    if (!(await isShared(folder))) return async () => unlock()
    const release = await takeOwnership(folder, { lost })
    return async () => {
      await release()
      unlock()
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Locks an empty file. Nothing else in this process may open it: the system ends all locks of a process on a file when it
 * closes any of its descriptors of that file.
 */
function lockFile(file: string, folder: string): () => void {
  const connection = new DatabaseSync(file, { timeout: 0 })
  try {
    // No journal, which would be a second file.
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    connection.close()
    throw (error as { errcode?: number }).errcode === SQLITE_BUSY ? new FolderInUse(folder) : error
  }
  return () => connection.close()
}
