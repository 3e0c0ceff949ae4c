// The job that adds smaller renditions to a video that already plays.
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import type { Deps } from '#server/deps.ts'
import { beginLadder, endLadder, findMedia } from '#server/store/media/media.ts'

export async function makeMediaLadder(deps: Deps, mediaId: string): Promise<void> {
  // While another process makes them, this call does nothing.
  await deps.database.exclusively(`ladder ${mediaId}`, () => makeRenditions(deps, mediaId))
}

async function makeRenditions({ db, files, mediaMaker }: Deps, mediaId: string): Promise<void> {
  const row = await findMedia(db, mediaId)
  if (row?.state !== 'ready' || row.made.hls !== true || row.made.steps) return endLadder(db, mediaId, [])
  await beginLadder(db, mediaId)
  const folder = files.mediaFolder(mediaId)
  const output = files.newTemporary()
  await mkdir(output, { recursive: true })
  try {
    const task = {
      kind: 'ladder',
      input: `${folder}/play.mp4`,
      main: `${folder}/hls/main.m3u8`,
      output,
    } as const
    const { steps } = await mediaMaker.makeLadder(task)
    if (steps.length === 0) return await endLadder(db, mediaId, [])
    // The playlist is moved last, so that it never names a missing file.
    const names = (await readdir(output)).filter((it) => it !== 'main.m3u8')
    for (const name of [...names, 'main.m3u8']) await rename(`${output}/${name}`, `${folder}/hls/${name}`)
    await endLadder(db, mediaId, steps)
  } finally {
    await rm(output, { recursive: true, force: true })
  }
}
