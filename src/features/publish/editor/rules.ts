// The editor's rules (specification section 5), pure: which files a draft takes, and what keeps it from being posted.
import { MAX_CONTENT, MAX_IMAGES, MAX_TOTAL_BYTES } from '#contract/limits.ts'
import { extensionOf, thumbnailExempt, type MediaKind } from '#contract/posts/media.ts'
import { type PriceProblem, typedPrice } from '#contract/posts/price.ts'
import { asLines, isInvisible, type TextProblem, textProblem } from '#contract/text/text-rule.ts'
import type { Protocol } from '#device/jobs/job-rows.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { ownRestrictions, postingProblem, sizeProblem } from './restrictions.ts'

/** Why a picked file was not taken. Sentences are in `text.ts`. */
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

/** Why a draft cannot be posted, by the place where the editor says it. */
export interface DraftProblems {
  media?: 'missing' | 'too_big' | 'incomplete' | 'unconverted'
  thumbnail?: 'thumbnail_required'
  content?: TextProblem | 'empty'
  price?: PriceProblem
  plans?: 'required'
  /** A sentence of the specification about this build's own restrictions. */
  restriction?: string
}

/**
 * Whether a draft with these media takes one more file.
 * @param rows the draft's media of role `media`
 * @param file its kind by its bytes, undefined for an unsupported one, and its size in bytes
 */
export function problemOf(
  rows: readonly Pick<Media, 'kind' | 'size' | 'conversion'>[],
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

/** Bytes that will be sent, as far as they are known: photos become smaller when they are converted. */
function sizeOf(rows: readonly Pick<Media, 'size' | 'conversion'>[]): number {
  const known = rows.filter((row) => row.conversion.is !== 'pending')
  return known.reduce((sum, row) => sum + row.size, 0)
}

/**
 * Whether a file will be ready without the person: it is waiting for its conversion.
 * @param lost ids of media whose bytes can no longer become complete on this device
 */
export function isWaiting(row: Media, lost: ReadonlySet<string>): boolean {
  return row.conversion.is === 'pending' && !lost.has(row.id)
}

/**
 * What keeps a draft from being posted; an empty object when nothing does.
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
  Object.assign(problems, audienceProblems(draft))
  const ready = media.filter((row) => row.conversion.is === 'ready')
  const sizes = ready.map(({ name, mime, size }) => ({ name, type: mime, size }))
  const restriction =
    postingProblem(ownRestrictions, media.map(withMeta)) ?? sizeProblem(ownRestrictions, sizes)
  if (restriction) problems.restriction = restriction
  return problems
}

/** Whether the device lacks the row of a file that the person picked. */
function isMissing({ mediaIds, thumbnailId }: Draft, rows: readonly Media[]): boolean {
  const there = new Set(rows.map((row) => row.id))
  return [...mediaIds, thumbnailId].some((id) => id !== null && !there.has(id))
}

const withMeta = ({ name, mime, alt, duration }: Media) => ({ meta: { name, type: mime, alt, duration } })

/** Section 5: mp4 and mov go without a thumbnail, in the second variant mp4 alone. */
function needsThumbnail(row: Media, protocol: Protocol): boolean {
  return row.kind === 'video' && !thumbnailExempt[protocol].some((it) => it === extensionOf(row.name))
}

function contentProblem(draft: Draft, media: number): DraftProblems['content'] {
  const problem = textProblem(asLines(draft.content), { max: MAX_CONTENT, shape: 'lines' })
  if (problem) return problem
  return media === 0 && draft.thumbnailId === null && isInvisible(draft.content) ? 'empty' : undefined
}

/** What is still missing or wrong about who may see a post. */
export function audienceProblems(
  draft: Pick<Draft, 'type' | 'planIds' | 'price'>,
): Pick<DraftProblems, 'plans' | 'price'> {
  if (draft.type === 2 && draft.planIds.length === 0) return { plans: 'required' }
  const priced = draft.type === 3 ? typedPrice(draft.price) : undefined
  return priced && 'problem' in priced ? { price: priced.problem } : {}
}
