// Media makers for tests, and recognition that returns wrong kinds.
import { openMediaMaker, type MediaMaker, refusingMediaMaker } from '#server/adapters/media/maker.ts'
import { type Mime, type Sniffed, sniffed } from '#contract/kinds/kind.ts'
import { sniff } from '#server/adapters/files/sniff.ts'

/** The real maker, whose processes have this PATH. */
export const mediaMakerOnPath = (folders: string): MediaMaker => openMediaMaker({ path: folders })

/** Recognises all files except pictures as the kind of `wrong()`, if it returns one. */
export function recogniseAs(wrong: () => Mime | undefined) {
  return async (file: string): Promise<Sniffed | undefined> => {
    const found = await sniff(file)
    const mime = wrong()
    return mime !== undefined && found?.kind !== 'image' ? sniffed(mime) : found
  }
}

/** The real maker, whose processes have the PATH of the tests. */
export const openChildMediaMaker = (): MediaMaker => openMediaMaker()

/** The maker of production on a machine where no sandbox works. */
export const sandboxlessMediaMaker: MediaMaker = refusingMediaMaker
