// Decides which files make a post, and their roles.
import type { FieldCode } from '#contract/errors.ts'
import { MAX_IMAGES } from '#contract/limits.ts'
import { thumbnailExempt } from '#contract/posts/media.ts'
import { isInvisible } from '#contract/text/text-rule.ts'

export type Role = 'image' | 'video' | 'thumbnail' | 'blurred'

/** One file of a new post, uploaded before or sent in the request. */
export interface Piece {
  readonly id: string
  /** Its field of `/post/add`. */
  readonly field: string
  readonly kind: 'image' | 'video'
  /** Extension of its name, lower case; undefined while neither name nor bytes are known. */
  readonly extension: string | undefined
}

export interface Placed {
  readonly id: string
  readonly role: Role
  readonly position: number
}

export type Composition =
  | { readonly is: 'made'; readonly placed: readonly Placed[] }
  | { readonly is: 'refused'; readonly fields: Readonly<Record<string, FieldCode>> }

const refused = (field: string, code: FieldCode): Composition => ({
  is: 'refused',
  fields: { [field]: code },
})

/**
 * Whether a video needs a thumbnail in the request.
 * @param variant how the video is uploaded
 * @param extension extension of its name, lower case
 */
export function wantsThumbnail(variant: keyof typeof thumbnailExempt, extension: string): boolean {
  const exempt: readonly string[] = thumbnailExempt[variant]
  return !exempt.includes(extension)
}

/**
 * Gives every file its role (specification sections 5 and 7). A video that is uploaded later needs a thumbnail by its
 * name's extension. A thumbnail without any media is the post's picture.
 * @param content text of the post
 * @param pieces files in the order of their fields
 */
export function compose(content: string, pieces: readonly Piece[]): Composition {
  const of = (...fields: string[]) => pieces.filter((it) => fields.includes(it.field))
  const video = of('has_video_file')[0]
  const thumbnail = of('image_url')[0] ?? of('video_thumbnail_file')[0]
  const images = of('has_image_file[]', 'image_file[]')
  if (!video && !thumbnail && images.length === 0 && isInvisible(content))
    return refused('content', 'empty_post')
  if (video && images.length > 0) return refused('has_video_file', 'unsupported')
  if (images.length > MAX_IMAGES) return refused('image_file[]', 'too_long')
  if (video?.extension !== undefined && !thumbnail && wantsThumbnail('tus', video.extension))
    return refused('thumbnail', 'thumbnail_required')
  const shown = video ? [] : images.length > 0 ? images : of('image_url', 'video_thumbnail_file').slice(0, 1)
  const separate = shown.includes(thumbnail as Piece) ? [] : [thumbnail]
  const roles: [Role, readonly (Piece | undefined)[]][] = [
    ['video', [video]],
    ['image', shown],
    ['thumbnail', separate],
    ['blurred', of('blurred_image_file').slice(0, 1)],
  ]
  const placed = roles.flatMap(([role, its]) =>
    its.flatMap((piece) => (piece ? [{ id: piece.id, role }] : [])),
  )
  return { is: 'made', placed: placed.map((it, position) => ({ ...it, position })) }
}
