// The `srcset` of a picture's widths.
import type { OpenPicture, PictureSource } from '#contract/posts/media.ts'
import { FACE_WIDTH, MEDIA_PATH } from '#contract/paths.ts'
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

/** A converted picture whose files every member may read, such as a cover. */
export interface MadePicture {
  readonly id: string
  readonly width: number | null
  readonly made: MadeVariants
}

export function openPictureOf({ id, width, made }: MadePicture): OpenPicture {
  return {
    sources: sourcesOf(made, width, (name) => `${MEDIA_PATH}/${id}/${name}`),
    ...(made.hash !== undefined && { placeholder: made.hash }),
  }
}
