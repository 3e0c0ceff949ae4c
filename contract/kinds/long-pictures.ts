// Long pictures: strips and panoramas, whose shorter side decides how large they are.

interface Size {
  readonly width: number
  readonly height: number
}

/** A picture whose longer side is more than so many times the other is long: a strip of a comic, a panorama. */
const LONG = 3
/** Largest canvas of every phone, pixels: a larger one stays empty. */
const CANVAS_PIXELS = 16_777_216

export const isStrip = ({ width, height }: Size): boolean => height > LONG * width
export const isPanorama = ({ width, height }: Size): boolean => width > LONG * height

/** The height of the part of a strip that lists and cards show, for its width. */
export const topOf = (width: number): number => LONG * width

/**
 * The factor by which a picture is made smaller before it is sent; 1 for none.
 * @param longest longest side, px; the shorter side of a long picture gets half of it. Null for the original size.
 */
export function sentScale({ width, height }: Size, longest: number | null): number {
  if (longest === null) return 1
  if (!isStrip({ width, height }) && !isPanorama({ width, height }))
    return Math.min(1, longest / Math.max(width, height))
  const scale = Math.min(1, longest / 2 / Math.min(width, height))
  // Without a canvas for it, the picture is sent as it is.
  return width * height * scale ** 2 > CANVAS_PIXELS ? 1 : scale
}
