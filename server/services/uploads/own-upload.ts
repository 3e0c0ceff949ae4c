// Checks one finished upload of a person before a post or a message holds it.
import { extensionOf } from '#contract/posts/media.ts'
import type { ObjectKey, ObjectStore } from '#server/adapters/files/object-store.ts'
import type { Sniffed } from '#contract/kinds/kind.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Db } from '#server/store/database.ts'
import { isDocument } from '#server/store/media/upload-keys.ts'
import { setUploadDigest, type UploadRow } from '#server/store/media/uploads.ts'

export interface UploadPorts {
  readonly storage: { readonly objects: Pick<ObjectStore, 'sizeOf'> }
  readonly sniffObject: (key: ObjectKey) => Promise<Sniffed | undefined>
}

export interface DigestPorts {
  readonly storage: { readonly objects: Pick<ObjectStore, 'digestOf'> }
  readonly db: Db
}

/** An upload as its request names it. */
export interface NamedUpload {
  readonly id: string
  readonly field: string
}

export interface OwnUpload extends NamedUpload {
  readonly kind: 'image' | 'video'
  readonly mime: string
  /** Of its name, or else of its bytes; lower case. */
  readonly extension: string
  readonly size: number
}

/**
 * Checks the owner, the number of bytes and the structure of an upload.
 * @param row of the upload, if there is one
 * @throws ApiError `invalid` for an upload of another person, `upload_incomplete` without all its bytes,
 * `unsupported_media` when it is neither a picture nor a video
 */
export async function checkOwnUpload(
  { storage: { objects }, sniffObject }: UploadPorts,
  ownerId: string,
  { id, field }: NamedUpload,
  row: UploadRow | undefined,
): Promise<OwnUpload> {
  // A document of an identity check is refused, also for its owner.
  if (row?.ownerId !== ownerId || isDocument(row))
    throw new ApiError('invalid', { [field]: 'unknown_upload' })
  const key = `uploads/${id}` as const
  const size = row.expiredAt ? undefined : await objects.sizeOf(key)
  if (size === undefined || size !== row.length)
    throw new ApiError('upload_incomplete', { [id]: 'too_small' })
  const found = await sniffObject(key)
  if (!found) throw new ApiError('unsupported_media', { [field]: 'unsupported' })
  const extension = extensionOf(row.metadata['filename'] ?? '') || found.extension
  return { id, field, kind: found.kind, mime: found.mime, extension, size }
}

/** The composite SHA-256 of a complete upload, which is computed once and stored. */
export async function digestOfUpload(
  { storage, db }: DigestPorts,
  { id, digest: known }: Pick<UploadRow, 'id' | 'digest'>,
): Promise<string> {
  if (known) return known
  const digest = await storage.objects.digestOf(`uploads/${id}`)
  await setUploadDigest(db, id, digest)
  return digest
}

/** @throws ApiError `invalid` when one upload is named twice */
export function refuseDuplicates(named: readonly NamedUpload[]): void {
  const seen = new Set<string>()
  for (const { id, field } of named) {
    if (seen.has(id)) throw new ApiError('invalid', { [field]: 'malformed' })
    seen.add(id)
  }
}
