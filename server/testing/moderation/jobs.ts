// Runs jobs of posts and media on a test server without a worker.
import { removeMedia } from '#server/modules/media/remove.ts'
import { makeMedia } from '#server/modules/media/make.ts'
import { fanOutPost } from '#server/modules/notifications/fan-out.ts'
import { reapUnreleased, UNRELEASED_LIFE } from '#server/modules/posts/unreleased.ts'
import { compareMadeMedia, listRemovedMedia } from '#server/services/holds/removed-media.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import type { World } from '#server/testing/world.ts'

/** Runs the waiting broadcasts of posts. @returns how many there were */
export async function fanOutPosts(world: World): Promise<number> {
  const jobs = await takeJobs(world, 'post.fan-out')
  for (const job of jobs) await fanOutPost(world.deps, job)
  return jobs.length
}

/** Makes the waiting pictures. */
export async function makeWaiting(world: World): Promise<void> {
  for (const { mediaId } of await takeJobs(world, 'media.picture')) await makeMedia(world.deps, mediaId)
}

/** Makes the waiting pictures, and hashes and lists what waits for it. */
export async function makePictures(world: World): Promise<void> {
  await makeWaiting(world)
  for (const { postId } of await takeJobs(world, 'media.removed')) await listRemovedMedia(world.deps, postId)
  for (const { postId } of await takeJobs(world, 'media.compare')) await compareMadeMedia(world.deps, postId)
}

/** Removes posts that were not released, at the end of their life. */
export async function reapLate(world: World): Promise<void> {
  world.clock.now += UNRELEASED_LIFE + 1000
  await reapUnreleased(world.deps)
}

/** Removes files that no post, message or profile shows any more. */
export async function removeUnusedMedia(world: World): Promise<void> {
  for (const it of await takeJobs(world, 'media.remove')) await removeMedia(world.deps, it.mediaId)
}
