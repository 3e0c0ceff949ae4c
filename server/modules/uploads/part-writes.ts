// Writes numbered parts of an upload, in any order and as often as they arrive.
import { createHash } from 'node:crypto'
import { PART_BYTES, sizeOfPart } from '#contract/uploads/parts.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { unfinishUpload } from '#server/store/media/upload-parts.ts'
import type { UploadRow } from '#server/store/media/uploads.ts'
import { PieceReader } from './piece-reader.ts'
import {
  after,
  limitTo,
  OffsetMismatch,
  ownUpload,
  type Pieces,
  type ReceivedBody,
  type Store,
  touch,
  whileHeld,
} from './receiving.ts'

/** An upload whose length is known, and which is no document. */
export interface Partable {
  readonly id: string
  readonly length: number
}

export interface OwnPartable {
  readonly row: UploadRow
  readonly upload: Partable
}

/** A part as a request sends it. */
export interface PartRequest {
  readonly no: number
  /** Bytes of the part before the body: exactly those that are stored. Undefined when the body begins with the first byte, whatever is stored. */
  readonly from: number | undefined
  /** Of the whole part. */
  readonly size: number
  /** Of the body, where they were announced. */
  readonly bytes: number | undefined
  readonly sha256: string | undefined
}

/** How many bytes are stored of each part, by its number. An interrupted completion is repeated, and a lost one taken back. */
export async function storedOf(
  deps: Deps,
  store: Store,
  { row, upload: { id, length } }: OwnPartable,
): Promise<(no: number) => number> {
  const { numbered } = row
  if (row.finishedAt !== null) {
    const isThere = (await deps.storage.objects.sizeOf(`uploads/${id}`)) === length
    const isLost = !isThere && (await unfinishUpload(deps.db, id))
    return (no) => (isLost ? 0 : sizeOfPart(length, no))
  }
  if (!numbered) {
    const offset = await store.offsetOf({ id, isDocument: false, numbered })
    return (no) => Math.min(sizeOfPart(length, no), Math.max(0, offset - (no - 1) * PART_BYTES))
  }
  const stored = await deps.storage.partBytes.storedOf(id)
  if (isWhole(stored, length)) await finishParts(deps, store, { id, length })
  return (no) => stored.get(no) ?? 0
}

interface Receiving extends OwnPartable {
  readonly part: PartRequest
  readonly body: ReceivedBody
}

/** Stores the body of a request. @returns how many bytes of the part are stored */
export async function receivePart(
  deps: Deps,
  store: Store,
  { row, upload, part, body }: Receiving,
): Promise<number> {
  const { id, length } = upload
  const { no, from, size } = part
  await deps.storage.room.mustHave()
  if (!row.numbered && (await number(deps, row)) === 'finished') return size
  await touch(deps, row)
  const stored = await body.exclusively(lockOf(id, no), async (hold, received) => {
    const before = (await deps.storage.partBytes.storedOf(id)).get(no) ?? 0
    if (from !== undefined && from !== before) throw new OffsetMismatch(before)
    if (before === size) return size
    const limited = limitTo(size - (from ?? 0), whileHeld(hold, received))
    const isChecked = part.sha256 !== undefined
    const pieces = after(before - (from ?? 0), isChecked ? withDigest(part, limited) : limited)
    return deps.storage.partBytes.write({ id, no, size }, before, { pieces, isChecked })
  })
  if (stored === size && isWhole(await deps.storage.partBytes.storedOf(id), length))
    await finishParts(deps, store, upload)
  return stored
}

/** One request at a time writes a part; others of the upload write theirs. */
const lockOf = (id: string, no: number) => `${id}.${no}`

/** Changes an upload whose bytes arrived in order to numbered parts, unless a PATCH has finished it meanwhile. */
async function number(deps: Deps, { id, ownerId }: UploadRow): Promise<'numbered' | 'finished'> {
  return deps.uploadLocks.withLock(id, async () => {
    const row = await ownUpload(deps, { id, userId: ownerId })
    if (row.finishedAt !== null) return 'finished'
    if (!row.numbered) await deps.storage.partBytes.number(id)
    return 'numbered'
  })
}

function isWhole(stored: ReadonlyMap<number, number>, length: number): boolean {
  let bytes = 0
  for (const size of stored.values()) bytes += size
  return bytes === length
}

/** Makes whole parts the object of the upload. Two requests may both have stored the last part. */
async function finishParts(deps: Deps, store: Store, { id }: Partable): Promise<void> {
  await deps.uploadLocks.withLock(id, async () => store.finish({ id, isDocument: false, numbered: true }))
}

/**
 * Passes bytes on that must have this digest.
 * @throws ApiError at their end: `digest_mismatch`, or `body_incomplete` when fewer have arrived than were announced
 */
async function* withDigest(
  { sha256, bytes }: Pick<PartRequest, 'sha256' | 'bytes'>,
  pieces: Pieces,
): AsyncGenerator<readonly Buffer[], void> {
  const hash = createHash('sha256')
  let received = 0
  for await (const parts of pieces) {
    for (const it of parts) {
      hash.update(it)
      received += it.length
    }
    yield parts
  }
  if (bytes !== undefined && received < bytes) throw new ApiError('body_incomplete')
  if (hash.digest('base64') !== sha256) throw new ApiError('digest_mismatch')
}

interface Continued extends Partable {
  /** Bytes that are stored without a gap, after which the new ones begin. */
  readonly offset: number
}

/** Stores bytes in order of an upload whose parts are numbered: its client sends no parts, or no longer. @returns the new offset */
export async function appendParts(
  deps: Deps,
  store: Store,
  { id, length, offset }: Continued,
  pieces: Pieces,
): Promise<number> {
  const reader = new PieceReader(pieces)
  let end = offset
  while (end < length && (await reader.hasMore())) {
    const no = Math.floor(end / PART_BYTES) + 1
    const [start, size] = [(no - 1) * PART_BYTES, sizeOfPart(length, no)]
    const stored = await deps.uploadLocks.withLock(lockOf(id, no), async (hold) =>
      deps.storage.partBytes.write({ id, no, size }, end - start, {
        pieces: whileHeld(hold, reader.upTo(start + size - end)),
        isChecked: false,
      }),
    )
    end = start + stored
    if (stored < size) break
  }
  if (end === length && isWhole(await deps.storage.partBytes.storedOf(id), length))
    await store.finish({ id, isDocument: false, numbered: true })
  return end
}
