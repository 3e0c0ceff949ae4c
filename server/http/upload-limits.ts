// How much one person may have under way at the same time.
import type { Db } from '#server/store/database.ts'
import { unfinishedOf } from '#server/store/usage.ts'
import { ApiError } from './errors.ts'

export interface UploadLimits {
  /** Unfinished uploads of one person. */
  readonly count: number
  /** Bytes those will hold. */
  readonly bytes: number
}

/** Refuses, inside the transaction that claimed it, an upload that is one too many for its owner. */
export async function checkUsage(tx: Db, ownerId: string, limits: UploadLimits): Promise<void> {
  const { unfinished, bytes } = await unfinishedOf(tx, ownerId)
  if (unfinished > limits.count) throw new ApiError('rate_limited')
  if (bytes > limits.bytes) throw new ApiError('storage_full')
}
