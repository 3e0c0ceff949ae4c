// Finds the uploads of a submitted identity check, and verifies their bytes.
import {
  type IdentityBody,
  type IdentityPart,
  MAX_DOCUMENT_BYTES,
  MAX_LIVE_BYTES,
  parts,
} from '#contract/identity/identity.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError, type Fields } from '#server/http/errors.ts'
import { isDocument } from '#server/store/media/upload-keys.ts'
import { unfinishUpload } from '#server/store/media/upload-parts.ts'
import { findUploads, type UploadRow } from '#server/store/media/uploads.ts'

/** Accepted types of a check's files, by their bytes. None can contain a script. */
const acceptedTypes: Record<'document' | 'live', ReadonlySet<string>> = {
  document: new Set(['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif']),
  live: new Set(['video/webm', 'video/mp4', 'video/quicktime']),
}

export interface Attachment {
  readonly id: string
  readonly part: IdentityPart
  readonly mime: string
  readonly length: number
  /** When its upload began. */
  readonly uploadBeganAt: Date
}

/** The key of a document that is not sealed yet. */
export const documentKey = (uploadId: string) => `identity-uploads/${uploadId}` as const

interface AttachmentRef {
  readonly id: string
  readonly part: IdentityPart
  readonly digest: string
}

/** Finds and verifies every upload in the body. The digests come last, since they read all bytes. */
export async function findAttachments(
  deps: Deps,
  ownerId: string,
  body: IdentityBody,
): Promise<Attachment[]> {
  const refs = parts.flatMap((part): AttachmentRef[] => {
    const upload = body[part]
    return upload ? [{ id: upload.upload_id, part, digest: upload.digest }] : []
  })
  if (new Set(refs.map((ref) => ref.id)).size !== refs.length)
    throw new ApiError('invalid', { front: 'malformed' })
  const rows = await findUploads(
    deps.db,
    refs.map((ref) => ref.id),
  )
  const own = refs.map(({ id, part }) => ownDocument(ownerId, part, rows.get(id)))
  await checkLengths(deps, own)
  const attachments: Attachment[] = []
  for (const it of own) attachments.push(await attachmentOf(deps, it))
  await checkDigests(deps, refs)
  return attachments
}

interface OwnDocument {
  readonly part: IdentityPart
  readonly row: UploadRow
}

/** Another person's upload and one for a post get the same error as a missing one. @throws ApiError `invalid` */
function ownDocument(ownerId: string, part: IdentityPart, row: UploadRow | undefined): OwnDocument {
  if (row?.ownerId !== ownerId || !isDocument(row))
    throw new ApiError('invalid', { [part]: 'unknown_upload' })
  return { part, row }
}

/**
 * The error names all documents without all their bytes, so that the device sends them before it submits again. It reads their
 * offsets first: that of a finished one would be its length, also without its bytes.
 * @throws ApiError `upload_incomplete`
 */
async function checkLengths({ db, storage }: Deps, documents: readonly OwnDocument[]): Promise<void> {
  const incomplete: Fields = {}
  for (const { row } of documents) {
    const stored = row.expiredAt ? undefined : await storage.objects.sizeOf(documentKey(row.id))
    if (stored !== undefined && stored === row.length) continue
    await unfinishUpload(db, row.id)
    incomplete[row.id] = 'too_small'
  }
  if (Object.keys(incomplete).length > 0) throw new ApiError('upload_incomplete', incomplete)
}

async function attachmentOf(deps: Deps, { part, row }: OwnDocument): Promise<Attachment> {
  const { id } = row
  const length = row.length ?? 0
  const isLive = part === 'live'
  if (length > (isLive ? MAX_LIVE_BYTES : MAX_DOCUMENT_BYTES))
    throw new ApiError('too_large', { [part]: 'too_large' })
  const type = await deps.sniffObject(documentKey(id))
  if (!type || !acceptedTypes[isLive ? 'live' : 'document'].has(type.mime))
    throw new ApiError('unsupported_media', { [part]: 'unsupported' })
  return { id, part, mime: type.mime, length, uploadBeganAt: row.createdAt }
}

async function checkDigests(deps: Deps, refs: readonly AttachmentRef[]): Promise<void> {
  const wrong: Fields = {}
  for (const { id, digest } of refs)
    if ((await deps.storage.objects.digestOf(documentKey(id))) !== digest) wrong[id] = 'malformed'
  if (Object.keys(wrong).length > 0) throw new ApiError('digest_mismatch', wrong)
}
