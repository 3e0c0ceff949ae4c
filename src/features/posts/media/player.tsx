// Player: a video with the browser's controls, with speed, quality and a stored position.
import { useEffect, useRef, useState, type KeyboardEvent, type SyntheticEvent } from 'react'
import { WATCHED_SHARE } from '#contract/analytics/readings.ts'
import type { VideoView } from '#contract/posts/media.ts'
import { usePlaceholder } from '#src/domain/media/placeholder.ts'
import { PlaybackMenu } from './playback-menu.tsx'
import { playedShare } from './played-share.ts'
import {
  fetchLibrary,
  firstSource,
  type Position,
  type Playing,
  openSegments,
  wantsLibrary,
} from './segments.ts'
import { Waiting } from './waiting.tsx'
import { createWatchedNote } from './watched.ts'
import { useViewer } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'

type VideoEvent = SyntheticEvent<HTMLVideoElement>

/** The video that was started last; starting one pauses the others. */
let latest: HTMLVideoElement | undefined

function pauseOthers({ currentTarget }: VideoEvent): void {
  latest = currentTarget
  for (const video of document.querySelectorAll('video')) {
    if (video !== currentTarget) video.pause()
  }
}

/** Continues with the MP4 from the position of the segments; a paused video stays paused. */
function continueWith(element: HTMLVideoElement, src: string, { at, paused }: Position): void {
  element.src = src
  element.currentTime = at
  if (!paused) void element.play().catch(() => undefined)
}

/** Plays segments or, if they fail, the MP4; `failed` when neither plays. */
function useSource(video: VideoView) {
  const [failed, setFailed] = useState(false)
  const [playing, setPlaying] = useState<Playing>()
  /** The library's use of the element; `ended` after it has released it. */
  const library = useRef<Promise<Playing> | 'ended' | undefined>(undefined)
  useEffect(
    () => () => {
      if (library.current !== 'ended') void library.current?.then((it) => it.release()).catch(() => undefined)
    },
    [],
  )

  function toMp4(
    element: HTMLVideoElement,
    left: Position = { at: element.currentTime, paused: element.paused },
  ): void {
    library.current = 'ended'
    setPlaying(undefined)
    if (video.src === null) setFailed(true)
    else continueWith(element, video.src, left)
  }
  return {
    failed,
    playing,
    onPlay: ({ currentTarget: element }: VideoEvent) => {
      if (library.current || video.hls === undefined || !wantsLibrary(video)) return
      library.current = openSegments(
        element,
        video.hls,
        (left) => toMp4(element, left),
        () => latest === element,
      )
      // Without the library the MP4 continues.
      library.current.then(setPlaying).catch(() => (library.current = 'ended'))
    },
    onError: ({ currentTarget: element }: VideoEvent) => {
      // The library handles errors while it uses the element.
      if (library.current && library.current !== 'ended') return
      if (element.getAttribute('src') === video.hls) toMp4(element)
      else setFailed(true)
    },
  }
}

export interface PlayerProps {
  video: VideoView
  /** Whether it plays and takes the focus at once, after the press that opened it. */
  starts?: boolean
  /** Whether speed and quality can be chosen, on the post's page. */
  hasMenu?: boolean
  /** Called while it plays, once nearly all of it was played. */
  onWatched?: () => void
}

/** Stores the position of a video, and starts there the next time. */
function usePosition(videoId: string) {
  const viewer = useViewer()
  const ownerId = viewer.is === 'authenticated' ? viewer.user.id : undefined
  const [watched] = useState(() => createWatchedNote(ownerId, videoId))
  const started = useRef(false)
  return {
    start({ currentTarget: element }: VideoEvent) {
      const before = started.current ? undefined : watched.position()
      started.current = true
      // A seek before the start has priority.
      if (before !== undefined && element.currentTime < 1) element.currentTime = before
    },
    passes: ({ currentTarget }: VideoEvent) => watched.onProgress(currentTarget),
    save: ({ currentTarget }: VideoEvent) => started.current && watched.save(currentTarget),
  }
}

/** Handles common keys of players, beside the browser's own. */
function onKey(event: KeyboardEvent<HTMLVideoElement>): void {
  const { currentTarget: element, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (key === 'm') element.muted = !element.muted
  if (key === 'f') {
    const turned = document.fullscreenElement ? document.exitFullscreen() : element.requestFullscreen?.()
    turned?.catch(() => undefined)
  }
}

function begin(element: HTMLVideoElement | null): void {
  element?.focus({ preventScroll: true })
  // If autoplay is not permitted, the browser's button is shown.
  void element?.play().catch(() => undefined)
}

/** Whether the browser saves data; a video is then not loaded before play. */
function savesData(): boolean {
  const line = (navigator as { connection?: { saveData?: boolean } }).connection
  return line?.saveData === true || matchMedia('(prefers-reduced-data: reduce)').matches
}

export function Player({ video, hasMenu: whole = false, starts = false, onWatched }: PlayerProps) {
  const placeholder = usePlaceholder(video.placeholder, 'contain', true)
  const { failed, playing, onPlay, onError } = useSource(video)
  const watched = usePosition(video.id)
  const element = useRef<HTMLVideoElement>(null)
  const src = firstSource(video)
  useEffect(() => {
    if (starts) begin(element.current)
  }, [starts])
  const preload = () => void (wantsLibrary(video) && fetchLibrary().catch(() => undefined))
  function setRate(rate: number) {
    if (!element.current) return
    // Also the default rate, with which another source would begin.
    element.current.defaultPlaybackRate = rate
    element.current.playbackRate = rate
  }
  if (video.state === 'processing') return <Waiting state="processing" />
  if (failed || video.state === 'failed' || src === null) return <Waiting state="failed" of={video} />
  const shape = video.width && video.height ? `${video.width} / ${video.height}` : '16 / 9'
  return (
    <div className="relative">
      {/* Users' videos have no captions. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <video
        ref={element}
        src={src}
        poster={video.poster ?? undefined}
        controls
        playsInline
        preload={savesData() ? 'none' : 'metadata'}
        aria-label={video.alt || text.posts.video}
        onPointerDown={preload}
        onFocus={preload}
        onKeyDown={onKey}
        onPlay={(event) => {
          pauseOthers(event)
          watched.start(event)
          onPlay(event)
        }}
        onTimeUpdate={(event) => {
          watched.passes(event)
          if (onWatched && playedShare(event.currentTarget) >= WATCHED_SHARE) onWatched()
        }}
        onPause={watched.save}
        onError={onError}
        style={{ aspectRatio: shape, ...placeholder }}
        className="mx-auto block max-h-[80dvh] w-full bg-black"
      />
      {whole && <PlaybackMenu onRate={setRate} playing={playing} />}
    </div>
  )
}
