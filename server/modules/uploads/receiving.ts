// Receives the body of a request that adds bytes to an upload.
import { ERRORS } from '@tus/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import type { Deps, UploadHold } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { isLostBytes } from '#server/services/uploads/lost-bytes.ts'
import { findUpload, touchUpload, type UploadRow } from '#server/store/media/uploads.ts'
import { bodyOf } from './request.ts'

export const PROTOCOL_TYPE = 'application/offset+octet-stream'
/** Time in which a stalled request must release its upload, ms. */
export const DRAIN_MS = 20
const TOUCH_EVERY_MS = 3600 * 1000

export type Store = ReturnType<Deps['uploadStore']>

export type Pieces = AsyncIterable<readonly Buffer[]>

export class OffsetMismatch extends ApiError {
  readonly offset: number
  /** @param offset where the next bytes are expected */
  constructor(offset: number) {
    super('offset_mismatch')
    this.offset = offset
  }
}

export interface ReceivedBody {
  /**
   * Runs work while no other request changes what the lock names. A newer request ends the body early, after the bytes received until
   * then.
   */
  exclusively<T>(lock: string, work: (hold: UploadHold, pieces: Pieces) => Promise<T>): Promise<T>
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/**
 * Runs the work of one request with its body. A refusal names the right offset, and closes the connection.
 * @returns the new offset, as the reply has it
 */
export async function receiving(
  deps: Deps,
  { request, reply }: Exchange,
  work: (body: ReceivedBody) => Promise<number>,
): Promise<FastifyReply> {
  const stop = new AbortController()
  const body = bodyOf(request.raw)
  stop.signal.addEventListener('abort', () => void reply.header('connection', 'close'), { once: true })
  const release = () => void setTimeout(() => stop.abort(), DRAIN_MS)
  let offset: number
  try {
    offset = await work({
      exclusively: (lock, locked) =>
        deps.uploadLocks.withLock(lock, (hold) => locked(hold, body.pieces(stop.signal)), release),
    })
  } catch (error) {
    // The reply has the right offset, so that no HEAD is needed.
    if (error instanceof OffsetMismatch) {
      reply.header('upload-offset', error.offset)
      deps.metrics.repeated('offset')
    }
    // The connection closes without waiting for the rest of the body.
    reply.header('connection', 'close')
    throw momentary(error)
  } finally {
    deps.metrics.uploaded(body.passed())
    body.discard()
  }
  return reply.code(204).headers({ 'upload-offset': offset, 'cache-control': 'no-store' }).send()
}

/** The error to reply with: `unavailable` where the device asks again what is stored, and goes on from there. */
export const momentary = (error: unknown): unknown =>
  error === ERRORS.ERR_LOCK_TIMEOUT || isLostBytes(error) ? new ApiError('unavailable') : error

/** The id of an upload in the path. @throws ApiError `not_found` for a text that is no id */
export function uploadIdOf(request: FastifyRequest): string {
  const { id } = request.params as { id?: string }
  if (!v.is(idSchema, id)) throw new ApiError('not_found')
  return id
}

/** The number in a header, or undefined without the header. @throws ApiError `bad_request` for other text */
export function integerOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^\d{1,15}$/.test(header)) throw new ApiError('bad_request')
  return Number(header)
}

/** @throws ApiError `not_found` for an upload of another person or of the legacy protocol; `gone` for an expired one */
export async function ownUpload(
  { db }: Deps,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<UploadRow> {
  const row = await findUpload(db, id)
  if (row?.ownerId !== userId || row.received !== null) throw new ApiError('not_found')
  if (row.expiredAt !== null) throw new ApiError('gone')
  return row
}

/** Records that bytes arrive, at most once an hour. */
export async function touch({ db, clock }: Deps, { id, touchedAt }: UploadRow): Promise<void> {
  const now = clock()
  if (now - touchedAt.getTime() >= TOUCH_EVERY_MS) await touchUpload(db, id, now)
}

/** Passes bytes on while the lock lasts: a server that was paused must not write after the next holder. */
export async function* whileHeld(hold: UploadHold, pieces: Pieces): AsyncGenerator<readonly Buffer[], void> {
  for await (const parts of pieces) {
    hold.mustLast()
    yield parts
  }
}

/** Passes bytes on up to a limit: a body without Content-Length may exceed the length of its upload. */
export async function* limitTo(limit: number, pieces: Pieces): AsyncGenerator<readonly Buffer[], void> {
  let left = limit
  for await (const parts of pieces) {
    left -= parts.reduce((sum, part) => sum + part.length, 0)
    if (left < 0) throw new ApiError('too_large')
    yield parts
  }
}

/** Pieces after the first `count` bytes. */
export async function* after(count: number, pieces: Pieces): AsyncGenerator<readonly Buffer[], void> {
  let left = count
  for await (const parts of pieces) {
    const rest: Buffer[] = []
    for (const it of parts) {
      if (left < it.length) rest.push(left > 0 ? it.subarray(left) : it)
      left = Math.max(0, left - it.length)
    }
    if (rest.length > 0) yield rest
  }
}
