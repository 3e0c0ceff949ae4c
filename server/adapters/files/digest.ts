// The composite SHA-256 of a file's bytes, of leaves of 5 MiB.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { compositeDigest, DIGEST_LEAF } from '#contract/digest.ts'

/** @param pieces all bytes in order, in pieces of any size */
export async function compositeDigestOf(pieces: AsyncIterable<Buffer>): Promise<string> {
  const leaves: Uint8Array[] = []
  let leaf = createHash('sha256')
  let room = DIGEST_LEAF
  for await (const piece of pieces) {
    let rest = piece
    while (rest.length > 0) {
      const part = rest.subarray(0, room)
      leaf.update(part)
      rest = rest.subarray(part.length)
      room -= part.length
      if (room > 0) continue
      leaves.push(leaf.digest())
      leaf = createHash('sha256')
      room = DIGEST_LEAF
    }
  }
  if (room < DIGEST_LEAF) leaves.push(leaf.digest())
  return compositeDigest(leaves)
}

export const digestOfFile = (file: string): Promise<string> =>
  compositeDigestOf(createReadStream(file, { highWaterMark: 1024 * 1024 }))
