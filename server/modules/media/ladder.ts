// The job that adds smaller renditions to a video that already plays.
import { mkdir } from 'node:fs/promises'
import type { Deps } from '#server/deps.ts'
import { beginLadder, endLadder, findMedia } from '#server/store/media/media.ts'

export async function makeMediaLadder(deps: Deps, mediaId: string): Promise<void> {
  // While another process makes them, this call does nothing.
  await deps.database.exclusively(`ladder ${mediaId}`, () => makeRenditions(deps, mediaId))
}

async function makeRenditions({ db, storage, mediaMaker }: Deps, mediaId: string): Promise<void> {
  const row = await findMedia(db, mediaId)
  if (row?.state !== 'ready' || row.made.hls !== true || row.made.steps) return endLadder(db, mediaId, [])
  await beginLadder(db, mediaId)
  const { objects, scratch } = storage
  const output = scratch.newPath()
  await mkdir(output, { recursive: true })
  try {
    const { steps } = await objects.withLocal(`media/${mediaId}/play.mp4`, (input) =>
      objects.withLocal(`media/${mediaId}/hls/main.m3u8`, (main) =>
        mediaMaker.makeLadder({ kind: 'ladder', input, main, output }),
      ),
    )
    if (steps.length === 0) return await endLadder(db, mediaId, [])
    // The playlist comes last, so that it never names a missing file.
    await objects.addFolder(`media/${mediaId}/hls`, output, 'main.m3u8')
    await endLadder(db, mediaId, steps)
  } finally {
    await scratch.remove(output)
  }
}
