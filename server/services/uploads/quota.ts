// Quotas of one person: stored bytes, and bytes of unfinished uploads.
import type { Db } from '#server/store/database.ts'
import { lockUsage, storedBytesOf, unfinishedOf } from '#server/store/media/usage.ts'
import { ApiError } from '#server/http/errors.ts'

export interface UploadLimits {
  /** Unfinished uploads of one person. */
  readonly count: number
  /** Announced bytes of those uploads. */
  readonly bytes: number
  /** Bytes of one person's finished and unfinished uploads together. */
  readonly stored: number
}

/**
 * Refuses an unfinished upload above its owner's quota, inside the transaction that claimed it.
 * @throws ApiError `storage_limit`; `rate_limited` when unfinished uploads have to be finished first
 */
export async function checkUsage(tx: Db, ownerId: string, limits: UploadLimits): Promise<void> {
  await checkStored(tx, ownerId, limits)
  const { unfinished, bytes } = await unfinishedOf(tx, ownerId)
  if (unfinished > limits.count || bytes > limits.bytes) throw new ApiError('rate_limited')
}

/**
 * Refuses bytes above their owner's quota, inside the transaction that added them.
 * @throws ApiError `storage_limit`
 */
export async function checkStored(
  tx: Db,
  ownerId: string,
  { stored }: Pick<UploadLimits, 'stored'>,
): Promise<void> {
  await lockUsage(tx, ownerId)
  if ((await storedBytesOf(tx, ownerId)) > stored) throw new ApiError('storage_limit')
}
