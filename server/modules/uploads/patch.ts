// PATCH of the resumable protocol (tus 1.0.0).
// It replaces the PATCH of @tus/server, which passes every byte through four streams.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { MAX_TOTAL_BYTES } from '#contract/limits.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberOf } from '#server/http/viewer.ts'
import { checkUploadSize } from '#server/services/runtime/limits.ts'
import { isDocument } from '#server/store/media/upload-keys.ts'
import { setUploadLength, type UploadRow } from '#server/store/media/uploads.ts'
import { appendParts } from './part-writes.ts'
import {
  integerOf,
  limitTo,
  OffsetMismatch,
  ownUpload,
  PROTOCOL_TYPE,
  type Pieces,
  receiving,
  type Store,
  touch,
  uploadIdOf,
  whileHeld,
} from './receiving.ts'

const PROTOCOL = '1.0.0'

interface ChunkRequest {
  readonly id: string
  readonly userId: string
  readonly offset: number
  /** Length of the whole upload, if this request announces it. */
  readonly length: number | undefined
  /** Length of the body; undefined with a transfer coding. */
  readonly bytes: number | undefined
}

export function patchHandler(deps: Deps, store: Store) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { id: userId } = memberOf(request)
    reply.header('tus-resumable', PROTOCOL)
    return receiving(deps, { request, reply }, async (body) => {
      const chunk = chunkOf(request, userId)
      await ownUpload(deps, chunk)
      return body.exclusively(chunk.id, async (hold, pieces) => {
        // After waiting, the previous request may have completed the upload, removed it, or numbered its parts.
        const row = await ownUpload(deps, chunk)
        return append(deps, store, chunk, row, whileHeld(hold, pieces))
      })
    })
  }
}

function chunkOf(request: FastifyRequest, userId: string): ChunkRequest {
  const { headers } = request
  if (headers['tus-resumable'] === undefined) throw new ApiError('bad_request', undefined, 412)
  const offset = integerOf(headers['upload-offset'])
  const isValid = headers['tus-resumable'] === PROTOCOL && headers['content-type'] === PROTOCOL_TYPE
  if (!isValid || offset === undefined) throw new ApiError('bad_request')
  return {
    id: uploadIdOf(request),
    userId,
    offset,
    length: integerOf(headers['upload-length']),
    bytes: integerOf(headers['content-length']),
  }
}

async function append(
  deps: Deps,
  store: Store,
  chunk: ChunkRequest,
  row: UploadRow,
  pieces: Pieces,
): Promise<number> {
  const { id, offset } = chunk
  const upload = { id, isDocument: isDocument(row), numbered: row.numbered && row.finishedAt === null }
  const currentOffset = await store.offsetOf(upload)
  if (currentOffset !== offset) throw new OffsetMismatch(currentOffset)
  const length = await lengthOf(deps, chunk, row)
  const remaining = (length ?? MAX_TOTAL_BYTES) - offset
  if ((chunk.bytes ?? 0) > remaining) throw new ApiError('too_large')
  await touch(deps, row)
  const limited = chunk.bytes === undefined ? limitTo(remaining, pieces) : pieces
  if (upload.numbered && length !== null) return appendParts(deps, store, { id, length, offset }, limited)
  return store.append(upload, offset, length, limited)
}

async function lengthOf(
  deps: Deps,
  { id, offset, length }: ChunkRequest,
  row: UploadRow,
): Promise<number | null> {
  if (length === undefined) return row.length
  if (row.length !== null || length < offset) throw new ApiError('bad_request')
  if (length > MAX_TOTAL_BYTES) throw new ApiError('too_large')
  await checkUploadSize(deps, row.ownerId, length)
  await setUploadLength(deps.db, id, length)
  return length
}
