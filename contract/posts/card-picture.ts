// The picture of a post's card: the smallest copy that fills it.
import type { MediaView } from './media.ts'

/** Width and shape of the box on the sharpest screens, px. */
const CARD_WIDTH = 480
const CARD_SHAPE = 16 / 9

/** The address of a file's picture in a card; null where it has none. A copy covers the box, so that a panorama needs a wider one. */
export function cardPictureOf(media: MediaView): string | null {
  if (media.kind === 'video') return media.poster
  if (media.still !== undefined) return media.still
  const { width, height, sources } = media
  const shape = width && height ? width / height : CARD_SHAPE
  const needed = CARD_WIDTH * Math.max(1, shape / CARD_SHAPE)
  const fitting = sources.find((it) => it.width >= needed) ?? sources.at(-1)
  return fitting?.src ?? null
}
