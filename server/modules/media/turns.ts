// Processes videos fairly: at most one per person at a time, across all servers.
import type { Deps } from '#server/deps.ts'
import { anyVideo, type VideoWork, nextVideos } from '#server/store/media/video-turns.ts'
import { makeMediaLadder } from './ladder.ts'
import { makeMedia } from './make.ts'

/** Delay of the next job when videos wait and none could be begun, s. */
const RECHECK_SECONDS = 5

const jobOf = { play: 'media.film', ladder: 'media.ladder' } as const

/** Processes the video whose turn it is. Does nothing while each waiting person has a video in progress. */
export async function makeNextVideo(deps: Deps): Promise<void> {
  await takeTurn(deps, 'play', (mediaId) => makeMedia(deps, mediaId))
}

/** Makes smaller renditions of one video, if no video waits for its conversion, the disk has room and a sandbox works. */
export async function makeNextLadder(deps: Deps): Promise<void> {
  const sandbox = await deps.mediaSandbox?.find()
  // Requested again once a sandbox works (`resume.ts`).
  if (sandbox === 'none' && deps.refusesUnconfined) return
  const mustWait =
    sandbox === 'unknown' ||
    (await nextVideos(deps.db, 'play')).length > 0 ||
    (await deps.storage.room.isLow())
  if (mustWait) return enqueueNext(deps, 'ladder', false)
  await takeTurn(deps, 'ladder', async (mediaId) => {
    await makeMediaLadder(deps, mediaId)
    return true
  })
}

/** Works on one video. @returns whether an attempt was made */
type Make = (mediaId: string) => Promise<boolean>

async function takeTurn(deps: Deps, work: VideoWork, make: Make): Promise<void> {
  let tried = false
  try {
    tried = await makeFirstAvailable(deps, work, make)
  } finally {
    await enqueueNext(deps, work, tried)
  }
}

/** Works on the first waiting video whose owner has none in progress. @returns whether an attempt was made */
async function makeFirstAvailable({ db, database }: Deps, work: VideoWork, make: Make): Promise<boolean> {
  for (const { ownerId } of await nextVideos(db, work)) {
    let tried = false
    await database.exclusively(`${work} of ${ownerId}`, async () => {
      // Another server may have processed the video since the list was read.
      const [video] = await nextVideos(db, work, ownerId)
      if (!video) return
      tried = await make(video.id)
    })
    if (tried) return true
  }
  return false
}

/**
 * Enqueues one more job while videos wait, because jobs that could begin none have ended. That job also takes over the
 * video of a server that crashed.
 */
async function enqueueNext({ db, transaction }: Deps, work: VideoWork, tried: boolean): Promise<void> {
  const mediaId = await anyVideo(db, work)
  if (mediaId === undefined) return
  const delay = tried ? undefined : ({ seconds: RECHECK_SECONDS, once: true } as const)
  await transaction(({ enqueue }) => enqueue(jobOf[work], { mediaId }, delay))
}
