// The job that makes the variants of an upload. It is idempotent.
import { mkdir } from 'node:fs/promises'
import { personChannel } from '#contract/realtime/channels.ts'
import type { MediaFailure } from '#contract/posts/media.ts'
import type { Deps, Unit } from '#server/deps.ts'
import {
  countAttempt,
  findHolder,
  findMedia,
  findThumbnailOf,
  type MediaRow,
  setMediaFailed,
  setMediaReady,
  uncountAttempt,
  requestLadder,
} from '#server/store/media/media.ts'
import { lockHeldPost } from '#server/store/moderation/holds.ts'
import { setHash } from '#server/store/moderation/removed-media.ts'
import { MAKER_VERSION } from '#server/services/media/maker-version.ts'
import { holdIfRemoved } from '#server/services/holds/removed-media.ts'
import { pictureHash } from '#server/services/holds/picture-hash.ts'
import { queueOf } from '#server/store/jobs.ts'
import { findUpload } from '#server/store/media/uploads.ts'
import { placeMadePicture } from '#server/store/people/profiles.ts'
import { placeMadePlanPicture } from '#server/store/plans/pictures.ts'

type Result = Awaited<ReturnType<Deps['mediaMaker']['make']>>
type Made = Extract<Result, { is: 'made' }>

/** Attempts on one file. When none of them completes, the file is failed with `gave_up`. */
export const MAX_ATTEMPTS = 4

/** Delay of the next job when the disk is full, the sandbox unknown, or another process has the file and may crash, s. */
const RECHECK_SECONDS = 10

/**
 * Makes the variants of a picture, or of a video whose turn it is (`turns.ts`), unless the disk is full or it is not known whether a
 * sandbox works.
 * @returns whether an attempt was made; if not, another job follows
 */
export async function makeMedia(deps: Deps, mediaId: string): Promise<boolean> {
  const outcome = (await isSandboxUnknown(deps))
    ? 'unknown'
    : await withRoom(deps, () =>
        deps.database.exclusively(`media ${mediaId}`, () => runAttempt(deps, mediaId)),
      )
  if (outcome === 'done') return true
  const kind = (await findMedia(deps.db, mediaId))?.kind
  if (kind)
    await deps.transaction(({ enqueue }) => enqueue(queueOf(kind), { mediaId }, { seconds: RECHECK_SECONDS }))
  return false
}

/** Tests the sandbox again if none works, so that one installed meanwhile is found. */
export const isSandboxUnknown = async ({ mediaSandbox }: Deps): Promise<boolean> =>
  (await mediaSandbox?.find()) === 'unknown'

/** Runs an attempt unless the disk is full. A failure on a full disk is `full` too: the file is not the cause. */
async function withRoom<T>({ storage }: Deps, attempt: () => Promise<T>): Promise<T | 'full'> {
  if (await storage.room.isLow()) return 'full'
  try {
    return await attempt()
  } catch (error) {
    if (await storage.room.isLow()) return 'full'
    throw error
  }
}

async function runAttempt(deps: Deps, mediaId: string): Promise<void> {
  const { db } = deps
  const attempts = await countAttempt(db, mediaId)
  if (attempts === undefined) return
  if (attempts > MAX_ATTEMPTS) return markFailed(deps, mediaId, 'gave_up')
  const row = await findMedia(db, mediaId)
  if (!row) return
  const result = await makeVariants(deps, row)
  // The state is written last: the author may request another try as soon as it is `failed`.
  if (result.is === 'refused') await markFailed(deps, mediaId, result.failure)
  else await markReady(deps, row, result)
}

/** Makes the variants in a temporary folder, and moves it to the folder of the media. */
async function makeVariants(
  { db, storage, mediaMaker, mediaSandbox, draining }: Deps,
  row: MediaRow,
): Promise<Result> {
  const thumbnail = row.kind === 'video' ? await findThumbnailOf(db, row.id) : undefined
  const { objects, scratch } = storage
  const output = scratch.newPath()
  await mkdir(output, { recursive: true })
  try {
    const make = (input: string, thumbnailFile: string | undefined) =>
      mediaMaker.make({ kind: row.kind, mime: row.mime, input, output, thumbnail: thumbnailFile })
    const result = await objects.withLocal(`uploads/${row.id}`, (input) =>
      thumbnail === undefined
        ? make(input, undefined)
        : objects.withLocal(`uploads/${thumbnail}`, (file) => make(input, file)),
    )
    if (result.is === 'refused') await storage.room.mustHave()
    else await objects.putFolder(`media/${row.id}`, output)
    return result
  } catch (error) {
    const isUnknown = mediaSandbox?.found().state === 'unknown'
    if (draining.now || isUnknown || (await storage.room.isLow())) await uncountAttempt(db, row.id)
    throw error
  } finally {
    await scratch.remove(output)
  }
}

/**
 * Makes the media available. A released post with a copy of a removed picture is held in the same transaction. The smaller
 * renditions of a video are made by a later job.
 */
async function markReady(deps: Deps, row: MediaRow, { media, ladder = false }: Made): Promise<void> {
  const { db, transaction, clock } = deps
  const mediaId = row.id
  const holder = await findHolder(db, mediaId)
  const { widths, poster: hasPoster } = media.made
  // The job that follows tries again what failed here.
  const picture =
    holder?.is === 'post'
      ? await pictureHash(deps, { ...row, widths, hasPoster }).catch(() => undefined)
      : undefined
  await transaction(async (unit) => {
    const { tx, enqueue } = unit
    const post = holder?.is === 'post' ? await lockHeldPost(tx, holder.postId) : undefined
    await setMediaReady(tx, mediaId, media)
    if (ladder) {
      await requestLadder(tx, mediaId, clock())
      await enqueue('media.ladder', { mediaId })
    }
    const replaced = (await placeMadePicture(tx, mediaId)) ?? (await placeMadePlanPicture(tx, mediaId))
    if (replaced !== undefined) await enqueue('media.remove', { mediaId: replaced })
    await publishState(unit, mediaId, 'ready')
    if (!post) return
    if (picture !== undefined) await setHash(tx, mediaId, picture)
    await holdIfRemoved(unit, deps, post)
    await enqueue('media.compare', { postId: post.id })
  })
}

async function markFailed({ transaction }: Deps, mediaId: string, failure: MediaFailure): Promise<void> {
  await transaction(async (unit) => {
    await setMediaFailed(unit.tx, mediaId, { failure, maker: MAKER_VERSION })
    await publishState(unit, mediaId, 'failed')
  })
}

/**
 * Sends the owner of the media a live event, for which pages that show the media wait. A media of a message is a change
 * of its conversation instead.
 */
async function publishState(
  { tx, publish, enqueue }: Unit,
  mediaId: string,
  state: 'ready' | 'failed',
): Promise<void> {
  const upload = await findUpload(tx, mediaId)
  if (!upload) return
  const holder = await findHolder(tx, mediaId)
  if (holder?.is === 'message') return enqueue('message.media', { mediaId })
  const postId = holder?.is === 'post' ? holder.postId : null
  publish({
    channel: personChannel(upload.ownerId),
    event: 'media.changed',
    data: { media_id: mediaId, post_id: postId, state },
  })
}
