// Releases a post exactly once; a chunked video is checked before it is processed.
import { extensionOf } from '#contract/posts/media.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { wantsThumbnail } from '#server/rules/composition.ts'
import { allTextsOf } from '#server/rules/post-texts.ts'
import {
  type ChunkedRow,
  findAwaitedVideo,
  findChunked,
  resetChunks,
  acceptVideo,
} from '#server/store/posts/chunked.ts'
import { findThumbnailOf } from '#server/store/media/media.ts'
import { isDeletedPost, releasePostOnce } from '#server/store/posts/posts.ts'
import { setUploadDigest } from '#server/store/media/uploads.ts'
import { isLostBytes } from '#server/services/uploads/lost-bytes.ts'
import { broadcast } from '#server/services/notifications/notify.ts'
import { operatorWordIn, undeclaredFilm } from '#server/services/holds/found.ts'
import { holdPost } from '#server/services/holds/hold.ts'
import { mediaLikeRemoved } from '#server/services/holds/removed-media.ts'
import { reindexPost } from '#server/services/search/search-index.ts'
import { mustBeIdentifiedToRelease } from './identity-gate.ts'
import { notifyMentioned } from './mentions.ts'
import { withUploadLock } from './upload-lock.ts'

interface CheckedVideo {
  readonly id: string
  readonly mime: string
}

/** @returns when the post was released, by this call or by an earlier one */
export async function releaseFlow(deps: Deps, postId: string, authorId: string): Promise<Date> {
  await mustBeIdentifiedToRelease(deps.db, postId, authorId)
  const videoId = await findAwaitedVideo(deps.db, postId, authorId)
  if (videoId === undefined) return release(deps, postId, authorId)
  return withUploadLock(deps, videoId, async () => {
    const row = await findChunked(deps.db, videoId)
    const unreleased = row?.postId === postId && row.releasedAt === null
    return release(deps, postId, authorId, unreleased ? await checkVideo(deps, row) : undefined)
  })
}

async function release(deps: Deps, postId: string, authorId: string, video?: CheckedVideo): Promise<Date> {
  const { transaction, db, clock, metrics } = deps
  const released = await transaction(async (unit) => {
    const { tx, enqueue } = unit
    const result = await releasePostOnce(tx, postId, authorId, clock())
    if (!result?.fresh) return result
    if (video) {
      if (!(await acceptVideo(tx, video.id, video.mime))) throw incomplete(video.id)
      await enqueue('media.film', { mediaId: video.id })
    }
    await enqueue('post.released', { postId })
    if (await holdAtRelease(deps, unit, { id: postId, authorId, text: allTextsOf(result) }, clock()))
      return result
    await reindexPost(tx, postId)
    await broadcast(unit, 'post', postId, clock())
    await notifyMentioned(deps, unit, { postId, by: authorId })
    return result
  })
  if (!released)
    throw new ApiError((await isDeletedPost(db, postId, authorId)) ? 'post_deleted' : 'not_found')
  if (released.fresh) metrics.released()
  else metrics.repeated('release')
  return released.releasedAt
}

/** @returns whether the post was held: its author alone sees it until it is approved */
async function holdAtRelease(
  { settings }: Pick<Deps, 'settings'>,
  unit: Unit,
  post: { readonly id: string; readonly authorId: string; readonly text: string },
  now: number,
): Promise<boolean> {
  const found =
    (await operatorWordIn(unit.tx, post.text)) ??
    (await mediaLikeRemoved(unit.tx, post.id, settings.help.removedMediaBits)) ??
    (await undeclaredFilm(unit.tx, post.id))
  return found !== undefined && holdPost(unit, post, found, { isNew: true, now })
}

const incomplete = (id: string) => new ApiError('upload_incomplete', { [id]: 'too_small' })

async function checkVideo(deps: Deps, row: ChunkedRow): Promise<CheckedVideo> {
  if (row.received !== row.chunks) throw incomplete(row.id)
  if (!(await isWhole(deps, row))) {
    await resetChunks(deps.db, row.id)
    throw incomplete(row.id)
  }
  await checkDigest(deps, row)
  const found = await deps.sniffObject(`uploads/${row.id}`)
  if (found?.kind !== 'video') throw new ApiError('unsupported_media', { has_video_file: 'unsupported' })
  const extension = extensionOf(row.metadata['filename'] ?? '') || found.extension
  if (wantsThumbnail('chunked', extension) && (await findThumbnailOf(deps.db, row.id)) === undefined)
    throw new ApiError('invalid', { thumbnail: 'thumbnail_required' })
  return { id: row.id, mime: found.mime }
}

async function isWhole({ storage }: Deps, { id, length }: ChunkedRow): Promise<boolean> {
  try {
    await storage.uploadBytes.complete(id)
  } catch (error) {
    if (isLostBytes(error)) return false
    throw error
  }
  return (await storage.objects.sizeOf(`uploads/${id}`)) === length
}

async function checkDigest(deps: Deps, row: ChunkedRow): Promise<void> {
  if (row.wantedDigest === null) return
  const digest = row.digest ?? (await deps.storage.objects.digestOf(`uploads/${row.id}`))
  if (digest === row.wantedDigest) return setUploadDigest(deps.db, row.id, digest)
  await resetChunks(deps.db, row.id)
  throw new ApiError('digest_mismatch', { [row.id]: 'malformed' })
}
