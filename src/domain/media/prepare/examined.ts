// Examinations of photos that are already stored, each made once in a page.
import type { PictureProblem } from '#contract/kinds/measure.ts'
import { pictureProblem } from './examine.ts'
import type { Recognised } from './kind.ts'

const examinations = new Map<string, Promise<PictureProblem | undefined>>()

interface Stored {
  readonly mediaId: string
  readonly recognised: Recognised
  readonly keepSize: boolean
}

/** The problem of a stored photo, for the intake that picked it and for its conversion. */
export function examineStored(
  file: Blob,
  { mediaId, recognised, keepSize }: Stored,
): Promise<PictureProblem | undefined> {
  const known = examinations.get(mediaId)
  if (known) return known
  const examination = pictureProblem(file, recognised, keepSize)
  examinations.set(mediaId, examination)
  return examination
}
