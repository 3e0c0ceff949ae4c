// Finds and checks the files of a new post: uploads, and pictures inside the request.
import { readFile } from 'node:fs/promises'
import { defaultBlurredImage } from '#contract/posts/blurred-image.ts'
import type { FieldCode } from '#contract/errors.ts'
import { newId } from '#contract/ids.ts'
import type { AddPost } from '#contract/posts/posts.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError, type Fields } from '#server/http/errors.ts'
import type { ReceivedFile } from '#server/http/multipart.ts'
import type { Piece } from '#server/rules/composition.ts'
import {
  checkOwnUpload,
  digestOfUpload,
  type NamedUpload,
  refuseDuplicates,
} from '#server/services/uploads/own-upload.ts'
import { findUploads, type UploadRow } from '#server/store/media/uploads.ts'

export interface FilePiece extends Piece {
  readonly mime: string
  readonly size: number
  /** The temporary file of a picture inside the request. An upload is at its final path already. */
  readonly inline?: ReceivedFile
  /** The bytes arrive later, in chunks. */
  readonly awaited?: true
}

/** Finds and checks every upload that the body names and every file inside the request. */
export async function gatherPieces(
  deps: Deps,
  authorId: string,
  body: AddPost,
  files: readonly ReceivedFile[],
): Promise<FilePiece[]> {
  const named: NamedUpload[] = body['has_image_file[]'].map((id) => ({ id, field: 'has_image_file[]' }))
  if (body.has_video_file !== undefined && body.has_video_file !== '1')
    named.push({ id: body.has_video_file, field: 'has_video_file' })
  refuseDuplicates(named)
  const rows = await findUploads(
    deps.db,
    named.map((it) => it.id),
  )
  const pieces: FilePiece[] = []
  for (const it of named) pieces.push(await uploadPiece(deps, authorId, it, rows.get(it.id)))
  if (body.has_video_file === '1') pieces.push(awaitedVideo())
  for (const file of files) if (!(await isDefaultBlurred(file))) pieces.push(await inlinePiece(deps, file))
  return pieces
}

async function uploadPiece(
  deps: Deps,
  authorId: string,
  named: NamedUpload,
  row: UploadRow | undefined,
): Promise<FilePiece> {
  const found = await checkOwnUpload(deps, authorId, named, row)
  const wanted = named.field === 'has_video_file' ? 'video' : 'image'
  if (found.kind !== wanted) throw new ApiError('unsupported_media', { [named.field]: 'unsupported' })
  return found
}

/** Whether a file is the client's default blurred picture. The media job makes one of the post's own pictures. */
async function isDefaultBlurred({ field, path, size }: ReceivedFile): Promise<boolean> {
  if (field !== 'blurred_image_file') return false
  const expected = defaultBlurredImage()
  return size === expected.length && (await readFile(path)).equals(expected)
}

const awaitedVideo = (): FilePiece => ({
  id: newId(),
  field: 'has_video_file',
  kind: 'video',
  mime: 'application/octet-stream',
  extension: undefined,
  size: 0,
  awaited: true,
})

async function inlinePiece(deps: Deps, inline: ReceivedFile): Promise<FilePiece> {
  const { field, size } = inline
  const found = await deps.sniff(inline.path)
  if (found?.kind !== 'image') throw new ApiError('unsupported_media', { [field]: 'unsupported' })
  return { id: newId(), field, kind: 'image', mime: found.mime, extension: found.extension, size, inline }
}

/** Compares digests with those that the client computed; the computed digest of an upload is stored. */
export async function checkDigests(deps: Deps, body: AddPost, pieces: readonly FilePiece[]): Promise<void> {
  const expected = new Map(body['upload_digest[]'].map((it) => [it.slice(0, 36), it.slice(37)]))
  const wrong: Fields = {}
  for (const { id, inline } of pieces) {
    const claimed = expected.get(id)
    if (inline || claimed === undefined) continue
    if ((await digestOf(deps, id)) !== claimed) wrong[id] = 'malformed' satisfies FieldCode
  }
  if (!(await picturesMatch(deps, body['image_digest[]'], pieces))) wrong['image_file[]'] = 'malformed'
  if (Object.keys(wrong).length > 0) throw new ApiError('digest_mismatch', wrong)
}

/** Whether the pictures inside the request have these digests, in their order: pictures have no ids yet. */
async function picturesMatch(
  deps: Deps,
  expected: readonly string[],
  pieces: readonly FilePiece[],
): Promise<boolean> {
  if (expected.length === 0) return true
  const pictures = pieces.flatMap(({ field, inline }) => (field === 'image_file[]' && inline ? [inline] : []))
  if (pictures.length !== expected.length) return false
  for (const [i, { path }] of pictures.entries())
    if ((await deps.storage.scratch.digestOf(path)) !== expected[i]) return false
  return true
}

async function digestOf(deps: Deps, id: string): Promise<string | undefined> {
  const row = (await findUploads(deps.db, [id])).get(id)
  return row && digestOfUpload(deps, row)
}
