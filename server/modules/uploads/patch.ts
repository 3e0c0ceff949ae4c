// PATCH of the resumable protocol (tus 1.0.0). Ours: @tus/server leads every byte through four streams to the disk.
import { ERRORS } from '@tus/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { MAX_TOTAL_BYTES } from '#contract/limits.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberOf } from '#server/http/viewer.ts'
import { findUpload, setUploadLength, touchUpload, type UploadRow } from '#server/store/media/uploads.ts'
import { type Body, bodyOf } from './request.ts'

const PROTOCOL = '1.0.0'
export const PROTOCOL_TYPE = 'application/offset+octet-stream'
/** A stalled request has this long to let go of its upload, ms. */
export const DRAIN_MS = 20
const TOUCH_EVERY_MS = 3600 * 1000

export type Store = ReturnType<Deps['uploadStore']>

interface Asked {
  readonly id: string
  readonly userId: string
  readonly offset: number
  /** Announced now, where it was not before. */
  readonly length: number | undefined
  /** Bytes of the body; undefined when it comes in a transfer coding. */
  readonly bytes: number | undefined
}

export function patchHandler(deps: Deps, store: Store) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { id: userId } = memberOf(request)
    const stop = new AbortController()
    const body = bodyOf(request.raw)
    reply.header('tus-resumable', PROTOCOL)
    try {
      const asked = askedOf(request, userId)
      const row = await ownUpload(deps, asked)
      const letGo = () => void setTimeout(() => stop.abort(), DRAIN_MS)
      const offset = await deps.uploadLocks.alone(
        asked.id,
        // After waiting, the upload is read again: the previous request may have completed or removed it.
        async (waited) =>
          receive(deps, store, asked, waited ? await ownUpload(deps, asked) : row, body, stop.signal),
        letGo,
      )
      if (stop.signal.aborted) reply.header('connection', 'close')
      return reply.code(204).headers({ 'upload-offset': offset, 'cache-control': 'no-store' }).send()
    } catch (error) {
      // The reply has the right offset, so that no HEAD is needed.
      if (error instanceof Strayed) reply.header('upload-offset', error.offset)
      // The rest of the body is not waited for.
      reply.header('connection', 'close')
      throw error === ERRORS.ERR_LOCK_TIMEOUT ? new ApiError('unavailable') : error
    } finally {
      body.discard()
    }
  }
}

class Strayed extends ApiError {
  readonly offset: number
  constructor(offset: number) {
    super('offset_mismatch')
    this.offset = offset
  }
}

function askedOf(request: FastifyRequest, userId: string): Asked {
  const { headers } = request
  if (headers['tus-resumable'] === undefined) throw new ApiError('bad_request', undefined, 412)
  const offset = wholeNumber(headers['upload-offset'])
  const right = headers['tus-resumable'] === PROTOCOL && headers['content-type'] === PROTOCOL_TYPE
  if (!right || offset === undefined) throw new ApiError('bad_request')
  const { id } = request.params as { id?: string }
  if (!v.is(idSchema, id)) throw new ApiError('not_found')
  return {
    id,
    userId,
    offset,
    length: wholeNumber(headers['upload-length']),
    bytes: wholeNumber(headers['content-length']),
  }
}

/** A header's number; one that is there and is no number is a bad request. */
function wholeNumber(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^\d{1,15}$/.test(header)) throw new ApiError('bad_request')
  return Number(header)
}

async function ownUpload({ db }: Deps, { id, userId }: Asked): Promise<UploadRow> {
  const row = await findUpload(db, id)
  if (row?.ownerId !== userId || row.received !== null) throw new ApiError('not_found')
  if (row.expiredAt !== null) throw new ApiError('gone')
  return row
}

async function receive(
  deps: Deps,
  store: Store,
  asked: Asked,
  row: UploadRow,
  body: Body,
  stop: AbortSignal,
): Promise<number> {
  const { id, offset } = asked
  const stands = await store.offsetOf(id)
  if (stands !== offset) throw new Strayed(stands)
  const length = await lengthOf(deps, asked, row)
  const room = (length ?? MAX_TOTAL_BYTES) - offset
  if ((asked.bytes ?? 0) > room) throw new ApiError('too_large')
  const now = deps.clock()
  if (now - row.touchedAt.getTime() >= TOUCH_EVERY_MS) await touchUpload(deps.db, id, now)
  const pieces = body.pieces(stop)
  return store.append(id, offset, length, asked.bytes === undefined ? within(room, pieces) : pieces)
}

async function lengthOf({ db }: Deps, { id, offset, length }: Asked, row: UploadRow): Promise<number | null> {
  if (length === undefined) return row.length
  if (row.length !== null || length < offset) throw new ApiError('bad_request')
  if (length > MAX_TOTAL_BYTES) throw new ApiError('too_large')
  await setUploadLength(db, id, length)
  return length
}

/** A body that does not say its length is read as far as there is room. */
async function* within(
  room: number,
  pieces: AsyncIterable<readonly Buffer[]>,
): AsyncGenerator<readonly Buffer[], void> {
  let left = room
  for await (const parts of pieces) {
    left -= parts.reduce((sum, part) => sum + part.length, 0)
    if (left < 0) throw new ApiError('too_large')
    yield parts
  }
}
