// Finds and checks the uploads of a new message, and attaches them to it.
import { MAX_MESSAGE_IMAGES, MAX_MESSAGE_VIDEOS, MAX_TOTAL_BYTES } from '#contract/limits.ts'
import type { Unit } from '#server/deps.ts'
import type { FieldCode } from '#contract/errors.ts'
import { ApiError } from '#server/http/errors.ts'
import {
  checkOwnUpload,
  type DigestPorts,
  digestOfUpload,
  type OwnUpload,
  refuseDuplicates,
  type UploadPorts,
} from '#server/services/uploads/own-upload.ts'
import { queueOf } from '#server/store/jobs.ts'
import { holdUploads } from '#server/store/media/media.ts'
import { findUploads, type UploadRow } from '#server/store/media/uploads.ts'
import { attachToMessage } from '#server/store/messages/message-media.ts'

/**
 * Checks the uploads of a message. Their kinds are decided by their bytes.
 * @throws ApiError `invalid` for an upload of another person, one named twice, and more than a message may have;
 * `upload_incomplete`, `unsupported_media`, `too_large`, `digest_mismatch`
 * @param digests of the picked files, in the order of `ids`; empty where they are not compared
 */
export async function gatherMedia(
  ports: UploadPorts & DigestPorts,
  senderId: string,
  ids: readonly string[],
  digests: readonly string[],
): Promise<OwnUpload[]> {
  const named = ids.map((id) => ({ id, field: 'media' }))
  refuseDuplicates(named)
  const rows = await findUploads(ports.db, ids)
  const found: OwnUpload[] = []
  for (const it of named) found.push(await checkOwnUpload(ports, senderId, it, rows.get(it.id)))
  const videos = found.filter((it) => it.kind === 'video').length
  if (videos > MAX_MESSAGE_VIDEOS || found.length - videos > MAX_MESSAGE_IMAGES)
    throw new ApiError('invalid', { media: 'too_long' })
  if (found.reduce((sum, it) => sum + it.size, 0) > MAX_TOTAL_BYTES) throw new ApiError('too_large')
  await checkDigests(ports, rows, ids, digests)
  return found
}

/** @throws ApiError `digest_mismatch` with the uploads whose bytes are not the picked ones */
async function checkDigests(
  ports: DigestPorts,
  rows: ReadonlyMap<string, UploadRow>,
  ids: readonly string[],
  digests: readonly string[],
): Promise<void> {
  const wrong: Record<string, FieldCode> = {}
  for (const [i, expected] of digests.entries()) {
    const row = rows.get(ids[i] ?? '')
    if (row && (await digestOfUpload(ports, row)) !== expected) wrong[row.id] = 'malformed'
  }
  if (Object.keys(wrong).length > 0) throw new ApiError('digest_mismatch', wrong)
}

/**
 * Attaches uploads to a stored message and enqueues their conversion.
 * @throws ApiError `conflict` when a post or message has one of them, or it has expired
 */
export async function attachMedia(
  { tx, enqueue }: Pick<Unit, 'tx' | 'enqueue'>,
  messageId: string,
  uploads: readonly OwnUpload[],
  now: number,
): Promise<void> {
  const held = uploads.map(({ id, kind, mime }) => ({ id, kind, mime, duration: null }))
  const taken = await holdUploads(tx, held, now)
  if (taken.length > 0)
    throw new ApiError('conflict', Object.fromEntries(taken.map((id) => [id, 'unknown_upload'])))
  await attachToMessage(
    tx,
    messageId,
    uploads.map((it) => it.id),
  )
  for (const { id, kind } of uploads) await enqueue(queueOf(kind), { mediaId: id })
}
