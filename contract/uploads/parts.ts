// Numbered parts of an upload: what this project's server adds to the resumable protocol (docs/decisions/153).
import * as v from 'valibot'
import { DIGEST_LEAF } from '#contract/digest.ts'
import { TUS_PATH } from '#contract/paths.ts'

/** Bytes of each part but the last, which may be shorter. */
export const PART_BYTES = DIGEST_LEAF
/** A header of replies about an upload that takes its bytes as numbered parts too; its value is `PART_BYTES`. */
export const PARTS_HEADER = 'Upload-Parts'
/** How many parts an upload has. @param length its bytes */
export const partsIn = (length: number): number => Math.ceil(length / PART_BYTES)

/** Bytes of one part. @param length bytes of the upload @param no number of the part, from 1 */
export const sizeOfPart = (length: number, no: number): number =>
  Math.min(PART_BYTES, length - (no - 1) * PART_BYTES)

/** Where one part is sent. @param no from 1 */
export const partPath = (uploadId: string, no: number): string => `${partsPath(uploadId)}/${no}`

/** Where a client reads which parts are stored. */
export const partsPath = (uploadId: string): string => `${TUS_PATH}/${uploadId}/parts`

/** Where a person asks for a capability, which a client sends as `Authorization: Upload <capability>`. */
export const capabilityPath = (uploadId: string): string => `${TUS_PATH}/${uploadId}/capability`

export const storedParts = v.object({
  /** Bytes of the upload. */
  length: v.number(),
  /** Whether all of them are stored. */
  finished: v.boolean(),
  /** Stored bytes of each part, in the order of their numbers. */
  stored: v.array(v.number()),
})
export type StoredParts = v.InferOutput<typeof storedParts>

export const capabilityReply = v.object({ capability: v.string() })
