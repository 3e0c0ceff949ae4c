// Views of a post's media for its viewer: addresses, sizes, and the author's processing notes.
import * as v from 'valibot'
import { type MediaFailure, mediaFailure, type MediaView, type PicturePart } from '#contract/posts/media.ts'
import type { ShownMedia } from '#server/store/posts/post-facts.ts'
import type { MediaAddress } from './addresses.ts'
import { MAKER_VERSION } from './maker-version.ts'
import { sourcesOf } from './picture-sources.ts'

type Row = ShownMedia['media']

/** The blurred picture of a post: of the author's placeholder or thumbnail, else of the first image or video. */
export function blurredUrlOf(shown: readonly ShownMedia[], address: MediaAddress): string | null {
  const order = ['blurred', 'thumbnail', 'image', 'video']
  const [first] = shown
    .filter((it) => it.media.made.blurred)
    .toSorted((a, b) => order.indexOf(a.role) - order.indexOf(b.role))
  return first ? address(first.media.id, 'blurred') : null
}

/** How the media are shown to one viewer: with which addresses, and whether as their author. */
export interface Shown {
  /** Whether the viewer is their author. */
  readonly own: boolean
  readonly address: MediaAddress
  /** Address of the original, which is always signed. */
  readonly original: MediaAddress
}

/** Views of the media for a viewer with full access. */
export function mediaViews(media: readonly ShownMedia[], shown: Shown): MediaView[] {
  return media.flatMap(({ role, alt, media: row }) => {
    if (role === 'image') return [imageView(row, alt, shown)]
    return role === 'video' ? [videoView(row, shown)] : []
  })
}

const stateOf = ({ state }: Row) => (state === 'awaited' ? 'processing' : state)

/** Why a file could not be used; only its author sees the reason. */
function failureOf(
  { state, failure, made }: Row,
  own: boolean,
): { failure?: MediaFailure; newer_maker?: boolean } {
  if (!own || state !== 'failed') return {}
  return {
    failure: v.is(mediaFailure, failure) ? failure : 'unreadable',
    ...((made.maker ?? 1) < MAKER_VERSION && { newer_maker: true }),
  }
}

const placeholderOf = ({ made }: Row) => (made.hash === undefined ? {} : { placeholder: made.hash })

const originalOf = (id: string, { own, original }: Shown) =>
  own ? { original_url: original(id, 'original') } : {}

/** The parts of a strip with their addresses. */
function partsOf({ id, made }: Row, { address }: Shown): { parts?: PicturePart[] } {
  if (!made.parts) return {}
  const { width, heights } = made.parts
  return { parts: heights.map((height, i) => ({ src: address(id, `p${i}`), width, height })) }
}

function imageView(row: Row, alt: string, shown: Shown): MediaView {
  const { id, width, height } = row
  const sources = sourcesOf(row.made, width, (name) => shown.address(id, name))
  return {
    kind: 'image',
    id,
    state: stateOf(row),
    ...failureOf(row, shown.own),
    alt,
    width,
    height,
    sources,
    ...partsOf(row, shown),
    ...(row.made.still === true && { still: shown.address(id, 'still') }),
    ...placeholderOf(row),
    ...originalOf(id, shown),
  }
}

function videoView(row: Row, shown: Shown): MediaView {
  const { own, address } = shown
  const { id, state, width, height, duration } = row
  const src = state === 'ready' ? address(id, 'play') : null
  const poster = row.made.poster ? address(id, 'poster') : null
  return {
    kind: 'video',
    id,
    state: stateOf(row),
    ...failureOf(row, own),
    alt: '動画',
    width,
    height,
    duration,
    src,
    ...(src !== null && row.made.hls === true && { hls: address(id, 'hls/main.m3u8') }),
    poster,
    ...placeholderOf(row),
    ...originalOf(id, shown),
  }
}
