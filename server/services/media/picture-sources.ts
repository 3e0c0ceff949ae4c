// The `srcset` of a picture's widths.
import type { PictureSource } from '#contract/posts/media.ts'
import { FACE_WIDTH } from '#contract/paths.ts'
import type { MadeVariants } from '#server/store/tables/media.ts'

/**
 * Lists the widths of a picture, without the width of faces unless it is the only one.
 * @param width of the picture itself, px: no source is wider
 * @param address returns the address of a file by its name
 */
export function sourcesOf(
  made: Pick<MadeVariants, 'widths'>,
  width: number | null,
  address: (name: string) => string,
): PictureSource[] {
  return made.widths
    .filter((it) => it > FACE_WIDTH || made.widths.length === 1)
    .map((it) => ({ src: address(`w${it}`), width: Math.min(it, width ?? it) }))
}
