// Decides whether the packets of a film are exactly what the film shows. Pure.
import type { Crop, Edit } from '#contract/kinds/iso-presentation.ts'

/** The part of a track's time that is shown, seconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The linear part of a display matrix, by rows, as ISO files store it. */
export type Linear = readonly [number, number, number, number]

export interface VideoFacts {
  readonly edits: readonly Edit[]
  /** Packets that are never shown, though they last or others need them. */
  readonly hidden: number
  readonly linear: Linear
  readonly crop: Crop | undefined
  /** Width of a pixel by its height, where only the track's header says it. */
  readonly pixelShape: number | undefined
  /** Sample descriptions of the track: with several, codec or size change within it. */
  readonly descriptions: number
}

/** Rounding of an edit's length, which is in ticks of the movie, seconds: less than the shortest frame. */
const ROUNDING = 0.002
/** Difference of a matrix from a pure rotation that is only rounding. */
const CLOSE = 0.01

export const everything: Span = { from: -Infinity, to: Infinity }

/** The part of a track that its edit list shows; undefined where it shows several parts, or one at another speed. */
export function spanOf(edits: readonly Edit[]): Span | undefined {
  const first = edits.findIndex((it) => !it.empty)
  const [shown, ...others] = edits.slice(Math.max(0, first))
  if (!shown || first < 0) return everything
  if (others.length > 0 || shown.rate !== 1) return undefined
  const from = edits.slice(0, first).reduce((sum, it) => sum + it.length, 0)
  return { from, to: shown.length === 0 ? Infinity : from + shown.length }
}

/** When a packet is shown and for how long, seconds of the presentation. */
interface Timed {
  readonly timestamp: number
  readonly duration: number
}

/** Whether any moment of a packet is inside the span. */
export function isShown(packet: Timed, { from, to }: Span): boolean {
  const end = packet.timestamp + Math.max(packet.duration, 2 * ROUNDING)
  return end > from + ROUNDING && packet.timestamp < to - ROUNDING
}

/**
 * How many packets of a track are shown and how many are hidden. One that lasts no time and begins where the span ends, or
 * later, is neither: it is left out of a copy, which then shows the same. It is hidden if a shown one follows it in the order
 * of decoding, which may need it.
 * @param packets in the order of decoding
 */
export async function countShown(
  packets: AsyncIterable<Timed> | Iterable<Timed>,
  span: Span,
): Promise<{ shown: number; hidden: number }> {
  let [shown, hidden, timeless] = [0, 0, 0]
  for await (const packet of packets) {
    if (isShown(packet, span)) {
      shown += 1
      hidden += timeless
      timeless = 0
    } else if (packet.duration === 0 && packet.timestamp >= span.to - ROUNDING) timeless += 1
    else hidden += 1
  }
  return { shown, hidden }
}

/** Whether a matrix only rotates by a multiple of 90 degrees: a copy keeps no mirror, scale or other angle. */
export function isRightAngle([a, b, c, d]: Linear): boolean {
  const isUnit = (it: number) => Math.abs(Math.abs(it) - 1) < CLOSE
  const isNone = (it: number) => Math.abs(it) < CLOSE
  if (isUnit(a) && isUnit(d) && isNone(b) && isNone(c)) return a * d > 0
  return isUnit(b) && isUnit(c) && isNone(a) && isNone(d) && b * c < 0
}

/** Whether a copy of a video track's packets shows what the track shows. */
export function arePresentation(facts: VideoFacts): boolean {
  return (
    spanOf(facts.edits) !== undefined &&
    facts.hidden === 0 &&
    facts.descriptions === 1 &&
    facts.crop === undefined &&
    facts.pixelShape === undefined &&
    isRightAngle(facts.linear)
  )
}

/** A clean aperture, or the shape of a pixel, after the rotation and mirror that the decoder has applied. */
export function turned(
  { crop, pixelShape }: Pick<VideoFacts, 'crop' | 'pixelShape'>,
  coded: { width: number; height: number },
  [a, b, c, d]: Linear,
): Pick<VideoFacts, 'crop' | 'pixelShape'> {
  const swaps = Math.abs(b) > Math.abs(a)
  const shape = pixelShape !== undefined && swaps ? 1 / pixelShape : pixelShape
  if (!crop) return { crop, pixelShape: shape }
  // Distance of its centre from that of the whole picture.
  const dx = crop.x + crop.width / 2 - coded.width / 2
  const dy = crop.y + crop.height / 2 - coded.height / 2
  const [width, height] = swaps ? [crop.height, crop.width] : [crop.width, crop.height]
  const [wide, high] = swaps ? [coded.height, coded.width] : [coded.width, coded.height]
  const [signX, signY] = swaps
    ? [Math.sign(c) * dy, Math.sign(b) * dx]
    : [Math.sign(a) * dx, Math.sign(d) * dy]
  const at = (whole: number, part: number, off: number) => Math.max(0, Math.round((whole - part) / 2 + off))
  return {
    crop: { width, height, x: at(wide, width, signX), y: at(high, height, signY) },
    pixelShape: shape,
  }
}
