// Receives the chunks of a post's video in order, each once. Specification section 7, first variant.
import type * as v from 'valibot'
import { LEGACY_CHUNK, MAX_TOTAL_BYTES } from '#contract/limits.ts'
import type { sendChunk } from '#contract/posts/posts.ts'
import type { Deps, UploadHold } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { isLostBytes } from '#server/services/uploads/lost-bytes.ts'
import { checkUploadSize } from '#server/services/runtime/limits.ts'
import { checkStored } from '#server/services/uploads/quota.ts'
import type { ReceivedFile } from '#server/http/multipart.ts'
import {
  bytesBeside,
  type ChunkedRow,
  countChunk,
  findChunked,
  resetChunks,
} from '#server/store/posts/chunked.ts'
import { withUploadLock } from './upload-lock.ts'

const MAX_CHUNKS = Math.ceil(MAX_TOTAL_BYTES / LEGACY_CHUNK)

type ChunkBody = v.InferOutput<NonNullable<typeof sendChunk.body>>

export interface ChunkRequest {
  readonly senderId: string
  readonly body: ChunkBody
  readonly files: readonly ReceivedFile[]
}

/**
 * Stores one chunk. It is in a temporary file until it is complete, so that an aborted request changes nothing.
 * @returns how many chunks are stored, from the first on
 */
export async function receiveChunk(deps: Deps, { senderId, body, files }: ChunkRequest): Promise<number> {
  const [file, ...others] = files
  if (!file) throw new ApiError('invalid', { file: 'required' })
  if (others.length > 0) throw new ApiError('invalid', { file: 'unsupported' })
  checkShape(body, file.size)
  return withUploadLock(deps, body.file_id, async (hold) => {
    const row = await findChunked(deps.db, body.file_id)
    checkRow(row, senderId, body)
    if (body.chunk !== row.received) deps.metrics.repeated('chunk')
    if (body.chunk < row.received) return row.received
    if (body.chunk > row.received) throw new ApiError('chunk_out_of_order')
    return storeChunk(deps, row, { body, file, hold })
  })
}

function checkShape({ chunk, chunks }: ChunkBody, size: number): void {
  if (chunks < 1) throw new ApiError('invalid', { chunks: 'too_small' })
  if (chunk >= chunks) throw new ApiError('invalid', { chunk: 'too_large' })
  if (chunks > MAX_CHUNKS) throw new ApiError('too_large', { chunks: 'too_large' })
  if (size > LEGACY_CHUNK) throw new ApiError('too_large', { file: 'too_large' })
  if (size < LEGACY_CHUNK && chunk < chunks - 1) throw new ApiError('invalid', { file: 'too_small' })
}

function checkRow(
  row: ChunkedRow | undefined,
  senderId: string,
  { chunks }: ChunkBody,
): asserts row is ChunkedRow {
  if (row?.ownerId !== senderId) throw new ApiError('not_found')
  if (row.expiredAt !== null) throw new ApiError('gone')
  if (row.releasedAt !== null) throw new ApiError('conflict')
  if (row.chunks !== null && row.chunks !== chunks) throw new ApiError('conflict', { chunks: 'malformed' })
}

/** Runs work with the bytes of an upload. @throws ApiError `chunk_out_of_order` after the store has lost some of them */
async function orFromStart({ db }: Deps, id: string, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isLostBytes(error)) throw error
    await resetChunks(db, id)
    throw new ApiError('chunk_out_of_order')
  }
}

async function storeChunk(
  deps: Deps,
  row: ChunkedRow,
  { body, file, hold }: { readonly body: ChunkBody; readonly file: ReceivedFile; readonly hold: UploadHold },
): Promise<number> {
  const { db, storage, clock, transaction } = deps
  const { chunk, chunks, file_name: filename } = body
  const offset = chunk * LEGACY_CHUNK
  const end = offset + file.size
  const otherBytes = row.postId === null ? 0 : await bytesBeside(db, row.postId, row.id)
  await checkUploadSize(deps, row.ownerId, end + otherBytes)
  const limits = await deps.runtime.uploadLimits()
  // The next holder may have placed further chunks, which this one would cut off.
  hold.mustLast()
  await orFromStart(deps, row.id, storage.uploadBytes.place(row.id, offset, file.path))
  const length = chunk === chunks - 1 ? end : null
  try {
    await transaction(async ({ tx }) => {
      if (!(await countChunk(tx, row.id, { chunk, chunks, filename, length }, clock())))
        throw new ApiError('conflict')
      await checkStored(tx, row.ownerId, limits)
    })
  } catch (error) {
    // Bytes above the storage limit are cut off. After a conflict another request may have counted these bytes.
    if (error instanceof ApiError && error.code === 'storage_limit')
      await storage.uploadBytes.cutAt(row.id, offset)
    throw error
  }
  if (length !== null) await orFromStart(deps, row.id, storage.uploadBytes.complete(row.id))
  return chunk + 1
}
