// Composite SHA-256 of a file: the digest of its 5 MiB chunks' digests.
import { TUS_CHUNK } from './limits.ts'

/** Bytes of one leaf. Independent of how the bytes travelled. */
export const DIGEST_LEAF = TUS_CHUNK

/**
 * SHA-256 over the concatenated SHA-256 digests of a file's leaves (S3 calls this a composite checksum).
 * @param leaves 32-byte digests, in file order
 * @returns base64 text, 44 characters
 */
export async function compositeDigest(leaves: readonly Uint8Array[]): Promise<string> {
  const all = new Uint8Array(leaves.length * 32)
  leaves.forEach((leaf, i) => all.set(leaf, i * 32))
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', all))
  return btoa(String.fromCharCode(...sum))
}
