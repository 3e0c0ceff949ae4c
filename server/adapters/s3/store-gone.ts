// Recognises an object store that does not reply, or only that it cannot.
import { S3ServiceException } from '@aws-sdk/client-s3'

/** Statuses of a store that has no time now; others below 500 are about the request. */
const momentary = new Set([408, 429])

/**
 * Whether a request to the store failed after all its tries, and may succeed later. The SDK adds `$metadata` to each error of a request, also of
 * one without a reply.
 */
export function isStoreGone(error: unknown): boolean {
  if (!(error instanceof Error) || !('$metadata' in error)) return false
  if (!(error instanceof S3ServiceException)) return true
  const status = error.$metadata.httpStatusCode ?? 0
  return status < 300 || status >= 500 || momentary.has(status)
}
