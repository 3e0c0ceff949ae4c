// Checks and makes room on the device for a picked file.
import { evictFor } from '#device/files/quota.ts'

/** Bytes that the browser reserves. */
const MARGIN = 16 * 1024 * 1024

export interface Room {
  /** Bytes. */
  needed: number
  free: number
}

let isRequested = false

/**
 * Requests persistent storage, and evicts cached data if `size` bytes need its room.
 * @returns undefined if they fit, or if the browser does not report its quota; else the needed and the free bytes
 */
export async function makeRoom(size: number): Promise<Room | undefined> {
  if (!navigator.storage) return undefined
  if (!isRequested) {
    isRequested = true
    // Not awaited, since Firefox shows a prompt that the person may leave open.
    void navigator.storage.persist?.().catch(() => false)
  }
  const { quota, usage } = await navigator.storage.estimate().catch((): StorageEstimate => ({}))
  if (quota === undefined || usage === undefined) return undefined
  const free = Math.max(0, quota - usage - MARGIN)
  if (size <= free || (await evictFor(size - free).catch(() => false))) return undefined
  return { needed: size, free }
}
