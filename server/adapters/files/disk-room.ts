// Free disk space of the data folder, and the floor below which uploads wait.
import { statfs } from 'node:fs/promises'

export interface DiskRoom {
  /** Whether less than the floor is free. */
  isLow(): Promise<boolean>
  /** Whether the floor is still free after so many more bytes. */
  fits(bytes: number): Promise<boolean>
  /** @throws NoRoom when less than the floor is free */
  mustHave(): Promise<void>
}

/** Less than the floor is free. It has the code of a disk that is full: both are answered alike. */
export class NoRoom extends Error {
  readonly code = 'ENOSPC'

  constructor() {
    super('the data folder has less free disk space than MIN_FREE_DISK_BYTES')
    this.name = 'NoRoom'
  }
}

/** How long a figure is used, ms: every piece of every upload asks. */
const FRESH = 1000

/**
 * Watches the disk a folder is on.
 * @param floor bytes that stay free, for the database and what is being made
 * @param free bytes that this process may still write
 */
export function createDiskRoom(
  folder: string,
  floor: number,
  free: () => Promise<number> = () => freeBytes(folder),
): DiskRoom {
  let known: { readonly at: number; readonly bytes: Promise<number> } | undefined
  const left = (): Promise<number> => {
    if (!known || performance.now() - known.at > FRESH) known = { at: performance.now(), bytes: free() }
    return known.bytes
  }
  const isLow = async () => floor > 0 && (await left()) < floor
  return {
    isLow,
    fits: async (bytes) => floor === 0 || (await left()) - bytes >= floor,
    async mustHave() {
      if (await isLow()) throw new NoRoom()
    },
  }
}

/** A folder without statistics counts as an empty disk: writing there then reports the real error. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
