// Why a message takes no further file. Pure.
import { MAX_MESSAGE_IMAGES, MAX_MESSAGE_VIDEOS, MAX_TOTAL_BYTES } from '#contract/limits.ts'
import type { MediaKind } from '#contract/posts/media.ts'
import type { Media } from '#device/database/schema.ts'
import type { PictureProblem } from '#contract/kinds/measure.ts'
import type { FilmProblem } from '#src/domain/media/film/film-facts.ts'

export type PickProblem =
  | 'unsupported'
  | 'too_big'
  | 'too_many_images'
  | 'one_video_only'
  | 'no_room'
  | 'unreadable'
  /** A picture that cannot be read as one on this device. */
  | 'unconvertible'
  /** The browser has cleared its storage before the message was sent. */
  | 'evicted'
  | PictureProblem
  | FilmProblem

/** A picked file that the message does not have. */
export interface RefusedFile {
  readonly name: string
  readonly why: PickProblem
}

/**
 * Why a message with these files refuses one more; undefined when it does not. The server decides again.
 * @param rows the picked files
 * @param file its kind by its bytes, undefined for an unsupported one, and its size in bytes
 */
export function problemOf(
  rows: readonly Pick<Media, 'kind' | 'size'>[],
  { kind, size }: { kind: MediaKind | undefined; size: number },
): PickProblem | undefined {
  if (!kind || size === 0) return 'unsupported'
  const ofKind = rows.filter((it) => it.kind === kind).length
  if (kind === 'video' && ofKind >= MAX_MESSAGE_VIDEOS) return 'one_video_only'
  if (kind === 'image' && ofKind >= MAX_MESSAGE_IMAGES) return 'too_many_images'
  const total = rows.reduce((sum, it) => sum + it.size, size)
  return total > MAX_TOTAL_BYTES ? 'too_big' : undefined
}
