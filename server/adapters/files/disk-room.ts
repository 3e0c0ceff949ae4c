// Free disk space of the data folder, and the minimum below which uploads are refused.
import { statfs } from 'node:fs/promises'

export interface DiskRoom {
  /** Whether less than the floor is free. */
  isLow(): Promise<boolean>
  /** Whether the floor is still free after so many more bytes. */
  fits(bytes: number): Promise<boolean>
  /** @throws NoRoom when less than the floor is free */
  mustHave(): Promise<void>
  /** Bytes below which uploads are refused; 0 for none. */
  readonly floor: number
  /** Bytes of the disk, free for this process and in all; undefined for a folder without statistics. */
  figures(): Promise<{ readonly free: number; readonly total: number } | undefined>
}

/** Less than the floor is free. The code is that of a full disk, since both get the same reply. */
export class NoRoom extends Error {
  readonly code = 'ENOSPC'

  constructor() {
    super('the data folder has less free disk space than MIN_FREE_DISK_BYTES')
    this.name = 'NoRoom'
  }
}

/** How long a figure is reused, ms, since every part of an upload needs it. */
const FRESH = 1000

/**
 * Watches the disk of a folder.
 * @param floor bytes that stay free, for the database and media being converted
 * @param free reads the bytes that this process may still write
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
    floor,
    async figures() {
      try {
        const { bavail, blocks, bsize } = await statfs(folder)
        return { free: bavail * bsize, total: blocks * bsize }
      } catch {
        return undefined
      }
    },
  }
}

/** Free bytes; infinite for a folder without statistics, where writing then reports the real error. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
