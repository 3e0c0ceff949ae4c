// The files of an identity check being submitted: finished uploads sent for it.
import {
  IDENTITY_PURPOSE,
  type IdentityBody,
  type IdentityPart,
  MAX_DOCUMENT_BYTES,
  MAX_LIVE_BYTES,
  parts,
} from '#contract/identity/identity.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError, type Fields } from '#server/http/errors.ts'
import { findUploads, type UploadRow } from '#server/store/media/uploads.ts'

/** What a check's file may be, by its bytes. Nothing that can carry a script. */
const kinds: Record<'document' | 'live', ReadonlySet<string>> = {
  document: new Set(['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif']),
  live: new Set(['video/webm', 'video/mp4', 'video/quicktime']),
}

export interface Piece {
  readonly id: string
  readonly part: IdentityPart
  readonly mime: string
  readonly length: number
  /** When its upload was begun. */
  readonly begunAt: Date
}

interface Named {
  readonly id: string
  readonly part: IdentityPart
  readonly digest: string
}

/** Finds and checks every upload the body names, its bytes last. */
export async function gatherPieces(deps: Deps, ownerId: string, body: IdentityBody): Promise<Piece[]> {
  const named = parts.flatMap((part): Named[] => {
    const it = body[part]
    return it ? [{ id: it.upload_id, part, digest: it.digest }] : []
  })
  if (new Set(named.map((it) => it.id)).size !== named.length)
    throw new ApiError('invalid', { front: 'malformed' })
  const rows = await findUploads(
    deps.db,
    named.map((it) => it.id),
  )
  const pieces: Piece[] = []
  for (const it of named) pieces.push(await pieceOf(deps, ownerId, it, rows.get(it.id)))
  await checkDigests(deps, named)
  return pieces
}

async function pieceOf(
  deps: Deps,
  ownerId: string,
  { id, part }: Named,
  row: UploadRow | undefined,
): Promise<Piece> {
  // Another person's upload, and one for a post, is as unknown as none.
  const known = row?.ownerId === ownerId && row.metadata['purpose'] === IDENTITY_PURPOSE
  if (!row || !known) throw new ApiError('invalid', { [part]: 'unknown_upload' })
  const file = deps.files.uploadPath(id)
  const length = row.expiredAt ? undefined : await deps.files.sizeOf(file)
  if (length === undefined || length !== row.length)
    throw new ApiError('upload_incomplete', { [id]: 'unknown_upload' })
  const live = part === 'live'
  if (length > (live ? MAX_LIVE_BYTES : MAX_DOCUMENT_BYTES))
    throw new ApiError('too_large', { [part]: 'too_large' })
  const found = await deps.sniff(file)
  if (!found || !kinds[live ? 'live' : 'document'].has(found.mime))
    throw new ApiError('unsupported_media', { [part]: 'unsupported' })
  return { id, part, mime: found.mime, length, begunAt: row.createdAt }
}

async function checkDigests(deps: Deps, named: readonly Named[]): Promise<void> {
  const wrong: Fields = {}
  for (const { id, digest } of named)
    if ((await deps.files.compositeDigestOf(deps.files.uploadPath(id))) !== digest) wrong[id] = 'malformed'
  if (Object.keys(wrong).length > 0) throw new ApiError('digest_mismatch', wrong)
}
