// Sends numbered parts of uploads to a test server.
import { createHash } from 'node:crypto'
import { PART_BYTES, partPath, partsIn, partsPath, type StoredParts } from '#contract/uploads/parts.ts'
import type { Member, Reply } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

export type Headers = Readonly<Record<string, string>>

/** A part as a client sends it. */
export interface SentPart {
  readonly id: string
  /** From 1. */
  readonly no: number
  readonly payload: Buffer
}

export const putPart = (
  world: World,
  as: Pick<Member, 'auth'> | null,
  { id, no, payload }: SentPart,
  headers: Headers = {},
): Promise<Reply> =>
  world.app.inject({
    method: 'PUT',
    url: partPath(id, no),
    headers: { ...as?.auth, 'content-type': 'application/octet-stream', ...headers },
    payload,
  })

export const getParts = (world: World, as: Pick<Member, 'auth'> | null, id: string): Promise<Reply> =>
  world.app.inject({ url: partsPath(id), headers: { ...as?.auth } })

/** What the server says of each part. */
export async function partsOf(world: World, as: Pick<Member, 'auth'>, id: string): Promise<StoredParts> {
  return (await getParts(world, as, id)).json<StoredParts>()
}

/** The bytes of a file as its parts, in their order. */
export const splitInParts = (id: string, bytes: Buffer): SentPart[] =>
  Array.from({ length: partsIn(bytes.length) }, (_, i) => ({
    id,
    no: i + 1,
    payload: bytes.subarray(i * PART_BYTES, (i + 1) * PART_BYTES),
  }))

export const contentDigest = (bytes: Buffer): Headers => ({
  'content-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
})
