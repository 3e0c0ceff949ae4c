// Lets one request at a time work on an upload.
import { ERRORS } from '@tus/server'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'

/** Does `work` while no other request touches the upload. */
export async function withUploadLock<T>(deps: Deps, uploadId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await deps.uploadLocks.alone(uploadId, work)
  } catch (error) {
    if (error === ERRORS.ERR_LOCK_TIMEOUT) throw new ApiError('unavailable')
    throw error
  }
}
