// Requests about numbered parts of an upload: what is stored, one part, and a capability.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as v from 'valibot'
import { type capabilityReply, partsIn, sizeOfPart, type StoredParts } from '#contract/uploads/parts.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberOf } from '#server/http/viewer.ts'
import { isDocument } from '#server/store/media/upload-keys.ts'
import type { UploadRow } from '#server/store/media/uploads.ts'
import { capabilityOf, uploaderOf } from './capability.ts'
import { type OwnPartable, type PartRequest, receivePart, storedOf } from './part-writes.ts'
import { integerOf, momentary, ownUpload, receiving, type Store, uploadIdOf } from './receiving.ts'

/** Parts that one person sends at the same time: each may need room in memory for its bytes. */
const MAX_AT_ONCE = 8

/** The upload of a request by its owner or by a capability. @throws ApiError `bad_request` for one that takes no parts */
async function partableOf(deps: Deps, request: FastifyRequest): Promise<OwnPartable> {
  const id = uploadIdOf(request)
  const row = await ownUpload(deps, { id, userId: await uploaderOf(deps, request, id) })
  if (!takesParts(row) || row.length === null) throw new ApiError('bad_request')
  return { row, upload: { id, length: row.length } }
}

/** Whether an upload takes its bytes as numbered parts too. */
export const takesParts = (row: Pick<UploadRow, 'length' | 'metadata'>): boolean =>
  row.length !== null && row.length > 0 && !isDocument(row)

/** GET: what is stored of each part. */
export function storedPartsHandler(deps: Deps, store: Store) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<StoredParts> => {
    const { row, upload } = await partableOf(deps, request)
    reply.header('cache-control', 'no-store')
    const { length } = upload
    const bytesOf = await storedOf(deps, store, { row, upload }).catch((error: unknown) => {
      throw momentary(error)
    })
    const stored = Array.from({ length: partsIn(length) }, (_, i) => bytesOf(i + 1))
    return { length, finished: stored.reduce((sum, it) => sum + it, 0) === length, stored }
  }
}

/** POST: a capability for one upload. */
export function capabilityHandler(deps: Deps) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<v.InferOutput<typeof capabilityReply>> => {
    const viewer = memberOf(request)
    const id = uploadIdOf(request)
    const row = await ownUpload(deps, { id, userId: viewer.id })
    if (!takesParts(row)) throw new ApiError('bad_request')
    reply.header('cache-control', 'no-store')
    return { capability: capabilityOf(deps, id, viewer.sessionId) }
  }
}

/** PUT: bytes of one part, from its first byte on or after those that are stored. */
export function partHandler(deps: Deps, store: Store) {
  const sending = new Map<string, number>()
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    receiving(deps, { request, reply }, async (body) => {
      const { row, upload } = await partableOf(deps, request)
      const part = partOf(request, upload.length)
      return atOnce(sending, row.ownerId, () =>
        row.finishedAt === null ? receivePart(deps, store, { row, upload, part, body }) : part.size,
      )
    })
}

/** Runs work unless its person has as many others at the same time as are allowed. */
async function atOnce<T>(
  sending: Map<string, number>,
  ownerId: string,
  work: () => T | Promise<T>,
): Promise<T> {
  const others = sending.get(ownerId) ?? 0
  if (others >= MAX_AT_ONCE) throw new ApiError('rate_limited')
  sending.set(ownerId, others + 1)
  try {
    return await work()
  } finally {
    const left = (sending.get(ownerId) ?? 1) - 1
    if (left > 0) sending.set(ownerId, left)
    else sending.delete(ownerId)
  }
}

function partOf({ headers, params }: FastifyRequest, length: number): PartRequest {
  const no = integerOf((params as { no?: string }).no)
  if (no === undefined || no < 1 || no > partsIn(length)) throw new ApiError('not_found')
  const from = integerOf(headers['upload-offset'])
  const size = sizeOfPart(length, no)
  if ((from ?? 0) > size) throw new ApiError('bad_request')
  const bytes = integerOf(headers['content-length'])
  if ((bytes ?? 0) > size - (from ?? 0)) throw new ApiError('too_large')
  const given = headers['content-digest']
  if (given === undefined) return { no, from, size, bytes, sha256: undefined }
  const sha256 =
    typeof given === 'string' ? /(?:^|, *)sha-256=:([A-Za-z0-9+/]{43}=):/.exec(given)?.[1] : undefined
  if (sha256 === undefined) throw new ApiError('bad_request')
  return { no, from, size, bytes, sha256 }
}
