// The rules for files and for posting a draft (specification section 5). Pure.
import { MAX_CONTENT, MAX_IMAGES, MAX_TOTAL_BYTES } from '#contract/limits.ts'
import { extensionOf, thumbnailExempt, type MediaKind } from '#contract/posts/media.ts'
import { type PriceProblem, typedPrice } from '#contract/posts/price.ts'
import { asLines, isInvisible, type TextProblem, textProblem } from '#contract/text/text-rule.ts'
import type { Protocol } from '#device/jobs/job-rows.ts'
import { declaredVersion } from '#device/drafts/declared-film.ts'
import { FILM_DECLARATION } from '#contract/posts/film-declaration.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import type { PictureProblem } from '#contract/kinds/measure.ts'
import type { FilmProblem } from '#src/domain/media/film/film-facts.ts'
import { openTextProblems } from '#src/domain/posts/open-texts.ts'
import { ownRestrictions, postingProblem, sizeProblem } from './restrictions.ts'

/** Why a picked file was refused. Sentences are in `text.ts`. */
export type FileProblem =
  /** 'not support file' */
  | 'unsupported'
  /** '1GB以下のファイルを選択してください' */
  | 'too_big'
  | 'too_many_images'
  | 'one_video_only'
  | 'images_or_video'
  | 'no_room'
  | 'unreadable'
  /** A picture that could not be converted on this device. */
  | 'unconvertible'
  | PictureProblem
  | FilmProblem

/** Why a draft cannot be posted, by the part of the editor that shows it. */
export interface DraftProblems {
  media?: 'missing' | 'too_big' | 'incomplete' | 'unconverted'
  thumbnail?: 'thumbnail_required'
  content?: TextProblem | 'empty'
  title?: TextProblem
  introduction?: TextProblem
  price?: PriceProblem
  plans?: 'required'
  declaration?: 'required'
  /** A sentence of the specification about this build's own restrictions. */
  restriction?: string
}

/**
 * Why a draft with these media refuses one more file; undefined when it does not.
 * @param rows the draft's media of role `media`
 * @param file its kind by its bytes, undefined for an unsupported one, and its size in bytes
 */
export function problemOf(
  rows: readonly Pick<Media, 'kind' | 'size'>[],
  file: { kind: MediaKind | undefined; size: number },
): FileProblem | undefined {
  const { kind } = file
  if (!kind || file.size === 0) return 'unsupported'
  const video = rows.some((row) => row.kind === 'video')
  if (video && kind === 'video') return 'one_video_only'
  if (rows.length > 0 && video !== (kind === 'video')) return 'images_or_video'
  if (rows.length >= MAX_IMAGES) return 'too_many_images'
  const total = sizeOf(rows) + file.size
  return total > MAX_TOTAL_BYTES ? 'too_big' : undefined
}

/** Bytes that are copied to the device: those of a photo as it was picked, until it is converted. */
function sizeOf(rows: readonly Pick<Media, 'size'>[]): number {
  return rows.reduce((sum, row) => sum + row.size, 0)
}

/**
 * Whether a file waits for its conversion.
 * @param lost ids of media whose bytes can no longer become complete on this device
 */
export function isWaiting(row: Media, lost: ReadonlySet<string>): boolean {
  return row.conversion.is === 'pending' && !lost.has(row.id)
}

/**
 * What prevents posting a draft; an empty object for nothing.
 * @param rows all media rows of the draft
 * @param lost ids of media whose bytes can no longer become complete on this device
 */
export function problemsOf(draft: Draft, rows: readonly Media[], lost: ReadonlySet<string>): DraftProblems {
  const problems: DraftProblems = {}
  const media = rows.filter((row) => row.role === 'media')
  const content = contentProblem(draft, media.length)
  if (content) problems.content = content
  if (isMissing(draft, rows)) problems.media = 'missing'
  else if (sizeOf(media) > MAX_TOTAL_BYTES) problems.media = 'too_big'
  else if (rows.some((row) => lost.has(row.id) && row.role !== 'frame')) problems.media = 'incomplete'
  else if (rows.some((row) => row.conversion.is === 'failed')) problems.media = 'unconverted'
  if (
    media.some((row) => needsThumbnail(row, draft.protocol)) &&
    draft.thumbnailId === null &&
    draft.frameId === null
  ) {
    problems.thumbnail = 'thumbnail_required'
  }
  if (needsDeclaration(draft, media) && declaredVersion(draft, media[0]) !== FILM_DECLARATION)
    problems.declaration = 'required'
  Object.assign(problems, audienceProblems(draft), draft.type === 1 ? {} : openTextProblems(draft))
  const ready = media.filter((row) => row.conversion.is === 'ready')
  const sizes = ready.map(({ name, mime, size }) => ({ name, type: mime, size }))
  const restriction =
    postingProblem(ownRestrictions, media.map(withMeta)) ?? sizeProblem(ownRestrictions, sizes)
  if (restriction) problems.restriction = restriction
  return problems
}

/** Whether the draft sells an age-limited video, about which the seller has to declare. */
export const needsDeclaration = (
  { type, isAgeLimited }: Pick<Draft, 'type' | 'isAgeLimited'>,
  media: readonly Pick<Media, 'kind'>[],
): boolean => type !== 1 && isAgeLimited && media.some((row) => row.kind === 'video')

/** Whether the row of a picked file is missing on the device. */
function isMissing({ mediaIds, thumbnailId }: Draft, rows: readonly Media[]): boolean {
  const existing = new Set(rows.map((row) => row.id))
  return [...mediaIds, thumbnailId].some((id) => id !== null && !existing.has(id))
}

const withMeta = ({ name, mime, alt, duration }: Media) => ({ meta: { name, type: mime, alt, duration } })

/** Whether a video requires a thumbnail, by its extension and the protocol (section 5). */
function needsThumbnail(row: Media, protocol: Protocol): boolean {
  return row.kind === 'video' && !thumbnailExempt[protocol].some((it) => it === extensionOf(row.name))
}

function contentProblem(draft: Draft, media: number): DraftProblems['content'] {
  const problem = textProblem(asLines(draft.content), { max: MAX_CONTENT, shape: 'lines' })
  if (problem) return problem
  return media === 0 && draft.thumbnailId === null && isInvisible(draft.content) ? 'empty' : undefined
}

/** Problems of a post's audience. */
export function audienceProblems(
  draft: Pick<Draft, 'type' | 'planIds' | 'price'>,
): Pick<DraftProblems, 'plans' | 'price'> {
  if (draft.type === 2 && draft.planIds.length === 0) return { plans: 'required' }
  const priced = draft.type === 3 ? typedPrice(draft.price) : undefined
  return priced && 'problem' in priced ? { price: priced.problem } : {}
}
