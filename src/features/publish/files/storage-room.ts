// Room on the device: requested at the first pick, checked before a file is copied.
import { evictFor } from '#device/files/quota.ts'

/** Space the browser keeps for itself and its bookkeeping, bytes. */
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
    // Not waited for: Firefox asks the person, who may leave the question standing as long as they like.
    void navigator.storage.persist?.().catch(() => false)
  }
  const { quota, usage } = await navigator.storage.estimate().catch((): StorageEstimate => ({}))
  if (quota === undefined || usage === undefined) return undefined
  const free = Math.max(0, quota - usage - MARGIN)
  if (size <= free || (await evictFor(size - free).catch(() => false))) return undefined
  return { needed: size, free }
}
