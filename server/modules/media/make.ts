// The job that makes the variants of an upload. It is idempotent.
import { mkdir, rename, rm } from 'node:fs/promises'
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
import { queueOf } from '#server/store/jobs.ts'
import { findUpload } from '#server/store/media/uploads.ts'
import { placeMadePicture } from '#server/store/people/profiles.ts'

type Answer = Awaited<ReturnType<Deps['mediaMaker']['make']>>
type Made = Extract<Answer, { is: 'made' }>

/** A file whose work dies this often is given up. */
export const MAX_ATTEMPTS = 4

/** When another process works on the file, another job follows after this, s: that process may die. */
const LOOK_AGAIN = 10

/**
 * Makes a picture, or a film whose turn it is (`turns.ts`). Without room on the disk nothing is tried.
 * @returns whether it was tried; if not, another job follows
 */
export async function makeMedia(deps: Deps, mediaId: string): Promise<boolean> {
  const tried = await withRoom(deps, () =>
    deps.database.exclusively(`media ${mediaId}`, () => makeAlone(deps, mediaId)),
  )
  if (tried === 'done') return true
  const kind = (await findMedia(deps.db, mediaId))?.kind
  if (kind)
    await deps.transaction(({ enqueue }) => enqueue(queueOf(kind), { mediaId }, { seconds: LOOK_AGAIN }))
  return false
}

/** A failure while the disk is full is no property of the file. */
async function withRoom<T>({ files }: Deps, attempt: () => Promise<T>): Promise<T | 'full'> {
  if (await files.room.isLow()) return 'full'
  try {
    return await attempt()
  } catch (error) {
    if (await files.room.isLow()) return 'full'
    throw error
  }
}

async function makeAlone(deps: Deps, mediaId: string): Promise<void> {
  const { db } = deps
  const attempts = await countAttempt(db, mediaId)
  if (attempts === undefined) return
  if (attempts > MAX_ATTEMPTS) return failed(deps, mediaId, 'gave_up')
  const row = await findMedia(db, mediaId)
  if (!row) return
  const answer = await work(deps, row)
  // The last step: a reader of this state may request another try.
  if (answer.is === 'refused') await failed(deps, mediaId, answer.failure)
  else await ready(deps, mediaId, answer)
}

/** Has the variants made, and puts them in their place. */
async function work({ db, files, mediaMaker, draining }: Deps, row: MediaRow): Promise<Answer> {
  const thumbnail = row.kind === 'video' ? await findThumbnailOf(db, row.id) : undefined
  const output = files.newTemporary()
  await mkdir(output, { recursive: true })
  try {
    const answer = await mediaMaker.make({
      kind: row.kind,
      mime: row.mime,
      input: files.uploadPath(row.id),
      output,
      thumbnail: thumbnail === undefined ? undefined : files.uploadPath(thumbnail),
    })
    if (answer.is === 'refused') await files.room.mustHave()
    else {
      const place = files.mediaFolder(row.id)
      await rm(place, { recursive: true, force: true })
      await rename(output, place)
    }
    return answer
  } catch (error) {
    if (draining.now || (await files.room.isLow())) await uncountAttempt(db, row.id)
    throw error
  } finally {
    await rm(output, { recursive: true, force: true })
  }
}

/** Playable at once; smaller renditions follow when there is time. */
async function ready(
  { transaction, clock }: Deps,
  mediaId: string,
  { media, ladder = false }: Made,
): Promise<void> {
  await transaction(async (unit) => {
    const { tx, enqueue } = unit
    await setMediaReady(tx, mediaId, media)
    if (ladder) {
      await requestLadder(tx, mediaId, clock())
      await enqueue('media.ladder', { mediaId })
    }
    const before = await placeMadePicture(tx, mediaId)
    if (before !== undefined) await enqueue('media.remove', { mediaId: before })
    await publishState(unit, mediaId, 'ready')
  })
}

async function failed({ transaction }: Deps, mediaId: string, failure: MediaFailure): Promise<void> {
  await transaction(async (unit) => {
    await setMediaFailed(unit.tx, mediaId, failure)
    await publishState(unit, mediaId, 'failed')
  })
}

/** Sends its owner a live event: a page that shows it waits for this. */
async function publishState(
  { tx, publish }: Unit,
  mediaId: string,
  state: 'ready' | 'failed',
): Promise<void> {
  const upload = await findUpload(tx, mediaId)
  if (!upload) return
  const holder = await findHolder(tx, mediaId)
  const postId = holder?.is === 'post' ? holder.postId : null
  publish({
    channel: personChannel(upload.ownerId),
    event: 'media.changed',
    data: { media_id: mediaId, post_id: postId, state },
  })
}
