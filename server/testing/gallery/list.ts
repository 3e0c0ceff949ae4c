// All fixtures of /dev/media, and the rows of docs/media.md without one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { MediaFixture } from './fixture.ts'
import { filmFixtures } from './films.ts'
import { pictureFixtures } from './pictures.ts'

export const mediaFixtures: readonly MediaFixture[] = [...filmFixtures, ...pictureFixtures]

/** Rows of docs/media.md that no view of a file shows, with the reason. */
export const unseenRows: Readonly<Record<string, string>> = {
  'sound before 0: priming, or a trimmed part': 'it is heard; `trimmed.mp4` has such sound',
  'HDR without ffmpeg, or with one that lacks these filters': 'the server of a developer has ffmpeg',
  'several sample descriptions in one track': 'ffmpeg writes no such file',
  'gain map (HDR photos)': 'libvips writes no such file, and every view shows the base picture',
  'more than 100 million pixels': 'a browser needs 400 MB for it',
  'location and camera': 'it is in no view',
}

/** Makes the file of a fixture. Rejects with the error of ffmpeg where that is missing. */
export async function makeFixture({ make }: MediaFixture): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-fixture-'))
  try {
    return await make(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}
