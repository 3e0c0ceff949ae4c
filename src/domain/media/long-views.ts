// Which pictures are shown long: scrolled in a box that their shorter side fills.
import { isPanorama, isStrip } from '#contract/kinds/long-pictures.ts'
import type { MediaView } from '#contract/posts/media.ts'

/** Width and height of a picture or film; those of a square where they are not known. */
export const sidesOf = ({ width, height }: Pick<MediaView, 'width' | 'height'>) => ({
  width: width ?? 1,
  height: height ?? 1,
})

/** Whether it is a strip or a panorama. A moving one is shown whole instead, since a person must be able to stop it. */
export const isShownLong = (it: MediaView): boolean =>
  it.kind === 'image' && it.still === undefined && (isStrip(sidesOf(it)) || isPanorama(sidesOf(it)))
