// Media makers for tests that decide which programs a machine has.
import { childMediaMaker, type MediaMaker } from '#server/adapters/media/maker.ts'

/** The real one, whose children look for programs in these folders. */
export const makerOn = (folders: string): MediaMaker => childMediaMaker({ path: folders })
