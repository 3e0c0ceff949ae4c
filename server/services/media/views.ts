// Views of a post's media for its viewer: addresses, sizes, and the author's processing notes.
import * as v from 'valibot'
import { type MediaFailure, mediaFailure, type MediaView } from '#contract/posts/media.ts'
import type { ShownMedia } from '#server/store/posts/post-facts.ts'
import type { MediaAddress } from './addresses.ts'
import { sourcesOf } from './picture-sources.ts'

type Row = ShownMedia['media']

/** The picture of a post that may not be seen yet: the author's own placeholder or thumbnail, else the one a full viewer would see first. */
export function blurredUrlOf(shown: readonly ShownMedia[], address: MediaAddress): string | null {
  const order = ['blurred', 'thumbnail', 'image', 'video']
  const [first] = shown
    .filter((it) => it.media.made.blurred)
    .toSorted((a, b) => order.indexOf(a.role) - order.indexOf(b.role))
  return first ? address(first.media.id, 'blurred') : null
}

/** The viewer of the media, and the URLs of their files for that viewer. */
export interface Shown {
  /** To their author. */
  readonly own: boolean
  readonly address: MediaAddress
  /** Path of the original: never open. */
  readonly original: MediaAddress
}

/** What a full viewer is shown. */
export function mediaViews(media: readonly ShownMedia[], shown: Shown): MediaView[] {
  return media.flatMap(({ role, alt, media: row }) => {
    if (role === 'image') return [imageView(row, alt, shown)]
    return role === 'video' ? [videoView(row, shown)] : []
  })
}

const stateOf = ({ state }: Row) => (state === 'awaited' ? 'processing' : state)

/** Only its author sees why a file could not be used. */
function failureOf({ state, failure }: Row, own: boolean): { failure?: MediaFailure } {
  if (!own || state !== 'failed') return {}
  return { failure: v.is(mediaFailure, failure) ? failure : 'unreadable' }
}

const placeholderOf = ({ made }: Row) => (made.hash === undefined ? {} : { placeholder: made.hash })

const originalOf = (id: string, { own, original }: Shown) =>
  own ? { original_url: original(id, 'original') } : {}

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
