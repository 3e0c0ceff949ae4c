// Room on the device: asked for at the first pick, checked before a file is copied.
import { giveWayFor } from '#device/files/quota.ts'

/** Space the browser keeps for itself and its bookkeeping, bytes. */
const MARGIN = 16 * 1024 * 1024

export interface Room {
  /** Bytes. */
  needed: number
  free: number
}

let asked = false

/**
 * Asks the browser to keep what is stored, and whether `size` more bytes fit, if need be in the place of what was only
 * read.
 * @returns undefined when they do, or when the browser cannot tell; else what is needed and what is free, bytes
 */
export async function makeRoom(size: number): Promise<Room | undefined> {
  if (!navigator.storage) return undefined
  if (!asked) {
    asked = true
    // Not waited for: Firefox asks the person, who may leave the question standing as long as they like.
    void navigator.storage.persist?.().catch(() => false)
  }
  const { quota, usage } = await navigator.storage.estimate().catch((): StorageEstimate => ({}))
  if (quota === undefined || usage === undefined) return undefined
  const free = Math.max(0, quota - usage - MARGIN)
  if (size <= free || (await giveWayFor(size - free).catch(() => false))) return undefined
  return { needed: size, free }
}
