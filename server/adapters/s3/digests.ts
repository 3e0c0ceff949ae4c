// Digests of the bytes that a store receives.
import { createHash } from 'node:crypto'
import type { PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3'

export const sha256Of = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/**
 * Adds the SHA-256 of its body to a command. The store compares it with the bytes, and the signature includes it; the SDK would compute it
 * once more.
 */
export function withDigest<T extends UploadPartCommand | PutObjectCommand>(command: T, sha256: Buffer): T {
  // Both commands take the same function; their types differ only in what they send.
  const stack = command.middlewareStack as UploadPartCommand['middlewareStack']
  stack.add(
    (next) => (args) => {
      const { headers } = args.request as { readonly headers: Record<string, string> }
      headers['x-amz-content-sha256'] = sha256.toString('hex')
      return next(args)
    },
    { step: 'build', name: 'givenDigest' },
  )
  return command
}
