// The row of a cached picture.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'

export const pictureRow = v.object({
  ownerId: id,
  /** The name of the picture, equal for all widths (picture-names.ts). */
  ref: v.string(),
  /** Of the narrowest that was seen, px; 0 where there is but one. */
  width: v.number(),
  /** Its media type. */
  type: v.string(),
  /** An ArrayBuffer in every engine: WebKit cannot store slices (byte-form.ts), and pictures are small. */
  bytes: v.instance(ArrayBuffer),
  size: v.number(),
  /** When it was last seen, to a day, ms since 1970. */
  at: v.number(),
})
export type Picture = v.InferOutput<typeof pictureRow>
