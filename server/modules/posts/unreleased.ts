// Removes posts that were never released: on withdrawal, or after a week without activity.
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { findAwaitedVideo } from '#server/store/posts/chunked.ts'
import {
  removeUploadRow,
  removeWithdrawnBefore,
  type Freed,
  listAbandoned,
  markExpired,
  recordWithdrawn,
  removeUnreleased,
  touchUploads,
} from '#server/store/posts/unreleased.ts'
import { withUploadLock } from './upload-lock.ts'

/** Lifetime of an unreleased post, counted from its last activity, ms. */
export const UNRELEASED_LIFE = 7 * 24 * 3600 * 1000
/** How long the key of a withdrawn post is stored, ms: a phone restored from a backup may send it again. */
export const WITHDRAWN_LIFE = 400 * 24 * 3600 * 1000

/**
 * Withdraws an unreleased post for its author. Its uploads stay, for a later post with another key; a video that
 * arrived in chunks is removed with it.
 * @throws ApiError `not_found`, or `conflict` when the post is released
 */
export async function withdrawFlow(deps: Deps, postId: string, authorId: string): Promise<void> {
  const videoId = await findAwaitedVideo(deps.db, postId, authorId)
  const work = () => withdraw(deps, postId, authorId)
  await (videoId === undefined ? work() : withUploadLock(deps, videoId, work))
}

async function withdraw(deps: Deps, postId: string, authorId: string): Promise<void> {
  const freed = await deps.transaction(async ({ tx }) => {
    const removed = await removeUnreleased(tx, postId, authorId)
    if (removed === 'unknown') throw new ApiError('not_found')
    if (removed === 'released') throw new ApiError('conflict')
    await recordWithdrawn(tx, removed, deps.clock())
    await touchUploads(tx, removed.uploads, deps.clock())
    if (removed.awaited !== undefined) await removeUploadRow(tx, removed.awaited)
    return removed
  })
  await removeMediaFolders(deps, freed)
  if (freed.awaited !== undefined)
    await deps.storage.objects.remove(`uploads/${freed.awaited}`, { ownerId: authorId })
}

/** Removes posts that were not released in time, with their keys and bytes. */
export async function reapUnreleased(deps: Deps): Promise<void> {
  const now = deps.clock()
  await removeWithdrawnBefore(deps.db, now - WITHDRAWN_LIFE)
  const next = () => listAbandoned(deps.db, now - UNRELEASED_LIFE)
  for (let page = await next(); page.length > 0; page = await next()) {
    let reaped = 0
    for (const postId of page) if (await reap(deps, postId, now)) reaped++
    if (reaped === 0) return
  }
}

async function reap(deps: Deps, postId: string, now: number): Promise<boolean> {
  const freed = await deps.transaction(async ({ tx }) => {
    const removed = await removeUnreleased(tx, postId)
    if (removed === 'unknown' || removed === 'released') return undefined
    await markExpired(tx, idsOf(removed), now)
    return removed
  })
  if (!freed) return false
  await removeMediaFolders(deps, freed)
  for (const id of idsOf(freed)) await deps.storage.objects.remove(`uploads/${id}`)
  return true
}

const idsOf = ({ uploads, awaited }: Freed) => (awaited === undefined ? uploads : [...uploads, awaited])

async function removeMediaFolders({ storage }: Deps, freed: Freed): Promise<void> {
  const { authorId: ownerId } = freed
  for (const id of idsOf(freed)) await storage.objects.removeFolder(`media/${id}`, { ownerId })
}
