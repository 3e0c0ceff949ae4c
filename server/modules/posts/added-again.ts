// A repeated add: its post exists, and so must the files of the post.
import type { AddPost } from '#contract/posts/posts.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { ReceivedFile } from '#server/http/multipart.ts'
import { compose } from '#server/rules/composition.ts'
import { queueOf } from '#server/store/jobs.ts'
import { retryFailedMedia } from '#server/store/media/media.ts'
import { listAttached, type Attached } from '#server/store/posts/posts.ts'
import { checkDigests, gatherPieces } from './attachments.ts'

interface Repeated {
  readonly authorId: string
  readonly body: AddPost
  readonly files: readonly ReceivedFile[]
}

/**
 * Stores again what an unreleased post shows and the store has lost, from the files of this request. The device removes its own copy
 * once the post is released.
 * @throws ApiError `unavailable` if the request does not have a lost file, so that the device keeps its copy
 */
export async function storeLostFiles(deps: Deps, postId: string, request: Repeated): Promise<void> {
  const { objects } = deps.storage
  const lost: Attached[] = []
  for (const it of await listAttached(deps.db, postId))
    if (it.isFinished && (await objects.sizeOf(`uploads/${it.mediaId}`)) === undefined) lost.push(it)
  if (lost.length === 0) return
  if (request.files.length === 0) throw new ApiError('unavailable')
  const pieces = await gatherPieces(deps, request.authorId, request.body, request.files)
  const composed = compose(request.body.content, pieces)
  const placed = composed.is === 'refused' ? [] : composed.placed
  await checkDigests(deps, request.body, pieces)
  for (const { mediaId, role, position, length } of lost) {
    const place = placed.find((it) => it.role === role && it.position === position)
    const inline = pieces.find((it) => it.id === place?.id)?.inline
    if (inline?.size !== length) throw new ApiError('unavailable')
    await objects.put(`uploads/${mediaId}`, inline.path)
    await deps.transaction(async ({ tx, enqueue }) => {
      const kind = await retryFailedMedia(tx, mediaId)
      if (kind) await enqueue(queueOf(kind), { mediaId })
    })
  }
}
