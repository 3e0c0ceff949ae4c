// Lock of one upload, so that only one request at a time changes it.
import { ERRORS } from '@tus/server'
import type { Deps, UploadHold } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'

/**
 * Runs `work` while no other request changes the upload.
 * @throws ApiError `unavailable` when the lock is not free in time, or did not last
 */
export async function withUploadLock<T>(
  deps: Deps,
  uploadId: string,
  work: (hold: UploadHold) => Promise<T>,
): Promise<T> {
  try {
    return await deps.uploadLocks.withLock(uploadId, work)
  } catch (error) {
    if (error === ERRORS.ERR_LOCK_TIMEOUT) throw new ApiError('unavailable')
    throw error
  }
}
