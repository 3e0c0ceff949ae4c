// PATCH of the resumable protocol (tus 1.0.0).
// It replaces the PATCH of @tus/server, which passes every byte through four streams.
import { ERRORS } from '@tus/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { MAX_TOTAL_BYTES } from '#contract/limits.ts'
import type { Deps, UploadHold } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberOf } from '#server/http/viewer.ts'
import { isLostBytes } from '#server/services/uploads/lost-bytes.ts'
import { checkUploadSize } from '#server/services/runtime/limits.ts'
import { isDocument } from '#server/store/media/upload-keys.ts'
import { findUpload, setUploadLength, touchUpload, type UploadRow } from '#server/store/media/uploads.ts'
import { bodyOf } from './request.ts'

const PROTOCOL = '1.0.0'
export const PROTOCOL_TYPE = 'application/offset+octet-stream'
/** Time in which a stalled request must release its upload, ms. */
export const DRAIN_MS = 20
const TOUCH_EVERY_MS = 3600 * 1000

export type Store = ReturnType<Deps['uploadStore']>

type Pieces = AsyncIterable<readonly Buffer[]>

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
    const stop = new AbortController()
    const body = bodyOf(request.raw)
    reply.header('tus-resumable', PROTOCOL)
    try {
      const chunk = chunkOf(request, userId)
      const row = await ownUpload(deps, chunk)
      const release = () => void setTimeout(() => stop.abort(), DRAIN_MS)
      const offset = await deps.uploadLocks.withLock(
        chunk.id,
        // After waiting, the upload is read again: the previous request may have completed or removed it.
        async (hold) => {
          const current = hold.waited ? await ownUpload(deps, chunk) : row
          return append(deps, store, chunk, current, whileHeld(hold, body.pieces(stop.signal)))
        },
        release,
      )
      if (stop.signal.aborted) reply.header('connection', 'close')
      return reply.code(204).headers({ 'upload-offset': offset, 'cache-control': 'no-store' }).send()
    } catch (error) {
      // The reply has the right offset, so that no HEAD is needed.
      if (error instanceof OffsetMismatch) {
        reply.header('upload-offset', error.offset)
        deps.metrics.repeated('offset')
      }
      // The connection closes without waiting for the rest of the body.
      reply.header('connection', 'close')
      throw isMomentary(error) ? new ApiError('unavailable') : error
    } finally {
      deps.metrics.uploaded(body.passed())
      body.discard()
    }
  }
}

/** Whether the device continues at the offset that it receives for its next request. */
const isMomentary = (error: unknown) => error === ERRORS.ERR_LOCK_TIMEOUT || isLostBytes(error)

class OffsetMismatch extends ApiError {
  readonly offset: number
  constructor(offset: number) {
    super('offset_mismatch')
    this.offset = offset
  }
}

function chunkOf(request: FastifyRequest, userId: string): ChunkRequest {
  const { headers } = request
  if (headers['tus-resumable'] === undefined) throw new ApiError('bad_request', undefined, 412)
  const offset = integerOf(headers['upload-offset'])
  const isValid = headers['tus-resumable'] === PROTOCOL && headers['content-type'] === PROTOCOL_TYPE
  if (!isValid || offset === undefined) throw new ApiError('bad_request')
  const { id } = request.params as { id?: string }
  if (!v.is(idSchema, id)) throw new ApiError('not_found')
  return {
    id,
    userId,
    offset,
    length: integerOf(headers['upload-length']),
    bytes: integerOf(headers['content-length']),
  }
}

/** The number in a header, or undefined without the header. @throws ApiError `bad_request` for other text */
function integerOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^\d{1,15}$/.test(header)) throw new ApiError('bad_request')
  return Number(header)
}

async function ownUpload({ db }: Deps, { id, userId }: ChunkRequest): Promise<UploadRow> {
  const row = await findUpload(db, id)
  if (row?.ownerId !== userId || row.received !== null) throw new ApiError('not_found')
  if (row.expiredAt !== null) throw new ApiError('gone')
  return row
}

async function append(
  deps: Deps,
  store: Store,
  chunk: ChunkRequest,
  row: UploadRow,
  pieces: Pieces,
): Promise<number> {
  const { id, offset } = chunk
  const upload = { id, isDocument: isDocument(row) }
  const currentOffset = await store.offsetOf(upload)
  if (currentOffset !== offset) throw new OffsetMismatch(currentOffset)
  const length = await lengthOf(deps, chunk, row)
  const remaining = (length ?? MAX_TOTAL_BYTES) - offset
  if ((chunk.bytes ?? 0) > remaining) throw new ApiError('too_large')
  const now = deps.clock()
  if (now - row.touchedAt.getTime() >= TOUCH_EVERY_MS) await touchUpload(deps.db, id, now)
  return store.append(upload, offset, length, chunk.bytes === undefined ? limitTo(remaining, pieces) : pieces)
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

/** Passes bytes on while the lock lasts: a server that was paused must not write after the next holder. */
async function* whileHeld(hold: UploadHold, pieces: Pieces): AsyncGenerator<readonly Buffer[], void> {
  for await (const parts of pieces) {
    hold.mustLast()
    yield parts
  }
}

/** Passes bytes on up to a limit: a body without Content-Length may exceed the length of its upload. */
async function* limitTo(limit: number, pieces: Pieces): AsyncGenerator<readonly Buffer[], void> {
  let left = limit
  for await (const parts of pieces) {
    left -= parts.reduce((sum, part) => sum + part.length, 0)
    if (left < 0) throw new ApiError('too_large')
    yield parts
  }
}
