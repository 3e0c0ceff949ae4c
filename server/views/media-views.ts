// How a post's media look to its viewer: addresses, sizes, and what their author alone is told.
import * as v from 'valibot'
import { type MediaFailure, mediaFailure, type MediaView } from '#contract/media.ts'
import { MEDIA_PATH } from '#contract/paths.ts'
import type { MediaRow } from '#server/store/media.ts'
import type { ShownMedia } from '#server/store/post-pieces.ts'

/** The picture of a post that may not be seen yet: the author's own placeholder, else the one a full viewer would see first. */
export function blurredUrlOf(shown: readonly ShownMedia[]): string | null {
  const order = ['blurred', 'image', 'thumbnail', 'video']
  const [first] = shown
    .filter((it) => it.media.made.blurred)
    .toSorted((a, b) => order.indexOf(a.role) - order.indexOf(b.role))
  return first ? `${MEDIA_PATH}/${first.media.id}/blurred` : null
}

/** What a full viewer is shown; `own`: to its author. */
export function mediaViews(shown: readonly ShownMedia[], own: boolean): MediaView[] {
  return shown.flatMap(({ role, alt, media }) => {
    if (role === 'image') return [imageView(media, alt, own)]
    return role === 'video' ? [videoView(media, own)] : []
  })
}

const stateOf = ({ state }: MediaRow) => (state === 'awaited' ? 'processing' : state)

/** Nobody but its author is told why a file could not be used. */
function failureOf({ state, failure }: MediaRow, own: boolean): { failure?: MediaFailure } {
  if (!own || state !== 'failed') return {}
  return { failure: v.is(mediaFailure, failure) ? failure : 'unreadable' }
}

const placeholderOf = ({ made }: MediaRow) => (made.hash === undefined ? {} : { placeholder: made.hash })

const originalOf = (id: string, own: boolean) => (own ? { original_url: `${MEDIA_PATH}/${id}/original` } : {})

function imageView(row: MediaRow, alt: string, own: boolean): MediaView {
  const { id, width, height } = row
  const sources = row.made.widths.map((it) => ({
    src: `${MEDIA_PATH}/${id}/w${it}`,
    width: Math.min(it, width ?? it),
  }))
  return {
    kind: 'image',
    id,
    state: stateOf(row),
    ...failureOf(row, own),
    alt,
    width,
    height,
    sources,
    ...placeholderOf(row),
    ...originalOf(id, own),
  }
}

function videoView(row: MediaRow, own: boolean): MediaView {
  const { id, state, width, height, duration } = row
  const src = state === 'ready' ? `${MEDIA_PATH}/${id}/play` : null
  const poster = row.made.poster ? `${MEDIA_PATH}/${id}/poster` : null
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
    ...(src !== null && row.made.hls === true && { hls: `${MEDIA_PATH}/${id}/hls/main.m3u8` }),
    poster,
    ...placeholderOf(row),
    ...originalOf(id, own),
  }
}
