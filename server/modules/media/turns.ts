// Processes videos fairly: at most one per person at a time, across all servers.
import type { Deps } from '#server/deps.ts'
import { anyFilm, type FilmWork, nextFilms } from '#server/store/media/film-turns.ts'
import { makeMediaLadder } from './ladder.ts'
import { makeMedia } from './make.ts'

/** When nothing could be begun although films wait, another job follows after this, s. */
const LOOK_AGAIN = 5

const jobOf = { play: 'media.film', ladder: 'media.ladder' } as const

/** Makes the film whose turn it is. Does nothing when each waiting person has a film under work. */
export async function makeNextFilm(deps: Deps): Promise<void> {
  await oneTurn(deps, 'play', (mediaId) => makeMedia(deps, mediaId))
}

/** Makes smaller renditions of one film, when no film waits to be made playable and the disk has room. */
export async function makeNextLadder(deps: Deps): Promise<void> {
  const waits = (await nextFilms(deps.db, 'play')).length > 0 || (await deps.files.room.isLow())
  if (waits) return followUp(deps, 'ladder', false)
  await oneTurn(deps, 'ladder', async (mediaId) => {
    await makeMediaLadder(deps, mediaId)
    return true
  })
}

/** Makes one file; gives whether it was tried. */
type Make = (mediaId: string) => Promise<boolean>

async function oneTurn(deps: Deps, work: FilmWork, make: Make): Promise<void> {
  let made = false
  try {
    made = await take(deps, work, make)
  } finally {
    await followUp(deps, work, made)
  }
}

/** @returns whether a film was made */
async function take({ db, database }: Deps, work: FilmWork, make: Make): Promise<boolean> {
  for (const { ownerId } of await nextFilms(db, work)) {
    let made = false
    await database.exclusively(`${work} of ${ownerId}`, async () => {
      // Another server may have made it since the list was read.
      const [film] = await nextFilms(db, work, ownerId)
      if (!film) return
      made = await make(film.id)
    })
    if (made) return true
  }
  return false
}

/**
 * Jobs that found every waiting person's film under work are over: while films wait, one more job follows. It also
 * takes over from a server that dies at work.
 */
async function followUp({ db, transaction }: Deps, work: FilmWork, made: boolean): Promise<void> {
  const mediaId = await anyFilm(db, work)
  if (mediaId === undefined) return
  const delay = made ? undefined : ({ seconds: LOOK_AGAIN, once: true } as const)
  await transaction(({ enqueue }) => enqueue(jobOf[work], { mediaId }, delay))
}
