// Player: a video with the browser's own controls; speed, quality and the place it was left at are ours. Starting one pauses the others.
import { useEffect, useRef, useState, type KeyboardEvent, type SyntheticEvent } from 'react'
import type { VideoView } from '#contract/posts/media.ts'
import { usePlaceholder } from '#src/domain/media/placeholder.ts'
import { PlaybackMenu } from './playback-menu.tsx'
import {
  fetchLibrary,
  firstSource,
  type LeftAt,
  type Playing,
  openSegments,
  wantsLibrary,
} from './segments.ts'
import { Waiting } from './waiting.tsx'
import { createWatchedNote } from './watched.ts'
import { useViewer } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'

type Happening = SyntheticEvent<HTMLVideoElement>

/** The video that was started last. */
let latest: HTMLVideoElement | undefined

function pauseOthers({ currentTarget }: Happening): void {
  latest = currentTarget
  for (const video of document.querySelectorAll('video')) {
    if (video !== currentTarget) video.pause()
  }
}

/** Continues with the MP4 from the position of the segments; a paused video stays paused. */
function goOnWith(element: HTMLVideoElement, src: string, { at, paused }: LeftAt): void {
  element.src = src
  element.currentTime = at
  if (!paused) void element.play().catch(() => undefined)
}

/** Plays by segments where there are some, and by the MP4 where those fail; `failed` when neither plays. */
function useSource(video: VideoView) {
  const [failed, setFailed] = useState(false)
  const [playing, setPlaying] = useState<Playing>()
  /** What has the element once the library does; `ended` when it gave it back. */
  const library = useRef<Promise<Playing> | 'ended' | undefined>(undefined)
  useEffect(
    () => () => {
      if (library.current !== 'ended') void library.current?.then((it) => it.letGo()).catch(() => undefined)
    },
    [],
  )

  function toMp4(
    element: HTMLVideoElement,
    left: LeftAt = { at: element.currentTime, paused: element.paused },
  ): void {
    library.current = 'ended'
    setPlaying(undefined)
    if (video.src === null) setFailed(true)
    else goOnWith(element, video.src, left)
  }
  return {
    failed,
    playing,
    onPlay: ({ currentTarget: element }: Happening) => {
      if (library.current || video.hls === undefined || !wantsLibrary(video)) return
      library.current = openSegments(
        element,
        video.hls,
        (left) => toMp4(element, left),
        () => latest === element,
      )
      // Without it the MP4 simply plays on.
      library.current.then(setPlaying).catch(() => (library.current = 'ended'))
    },
    onError: ({ currentTarget: element }: Happening) => {
      // While the library has the element, errors are passed to the library too.
      if (library.current && library.current !== 'ended') return
      if (element.getAttribute('src') === video.hls) toMp4(element)
      else setFailed(true)
    },
  }
}

export interface PlayerProps {
  video: VideoView
  /** The press that opened it also starts it: it plays at once and takes the keyboard focus. */
  starts?: boolean
  /** On the post's own page: speed and quality can be chosen. */
  whole?: boolean
}

/** Stores the reached position, and starts there the next time. */
function usePlace(videoId: string) {
  const viewer = useViewer()
  const ownerId = viewer.is === 'authenticated' ? viewer.user.id : undefined
  const [place] = useState(() => createWatchedNote(ownerId, videoId))
  const started = useRef(false)
  return {
    start({ currentTarget: element }: Happening) {
      const before = started.current ? undefined : place.place()
      started.current = true
      // A seek before play overrides it.
      if (before !== undefined && element.currentTime < 1) element.currentTime = before
    },
    passes: ({ currentTarget }: Happening) => place.passes(currentTarget),
    keep: ({ currentTarget }: Happening) => started.current && place.keep(currentTarget),
  }
}

/** What players everywhere listen to, beside the browser's own keys. */
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
  // Where that is not allowed, the browser's own button is there.
  void element?.play().catch(() => undefined)
}

/** With the browser's data saving, no byte of a video is loaded before play. */
function savesData(): boolean {
  const line = (navigator as { connection?: { saveData?: boolean } }).connection
  return line?.saveData === true || matchMedia('(prefers-reduced-data: reduce)').matches
}

export function Player({ video, whole = false, starts = false }: PlayerProps) {
  const placeholder = usePlaceholder(video.placeholder, 'contain', true)
  const { failed, playing, onPlay, onError } = useSource(video)
  const place = usePlace(video.id)
  const element = useRef<HTMLVideoElement>(null)
  const src = firstSource(video)
  useEffect(() => {
    if (starts) begin(element.current)
  }, [starts])
  const warm = () => void (wantsLibrary(video) && fetchLibrary().catch(() => undefined))
  function setRate(rate: number) {
    if (!element.current) return
    // The default too: another source would begin with it.
    element.current.defaultPlaybackRate = rate
    element.current.playbackRate = rate
  }
  if (video.state === 'processing') return <Waiting state="processing" />
  if (failed || video.state === 'failed' || src === null) return <Waiting state="failed" of={video} />
  const shape = video.width && video.height ? `${video.width} / ${video.height}` : '16 / 9'
  return (
    <div className="relative">
      {/* What people film comes without captions. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <video
        ref={element}
        src={src}
        poster={video.poster ?? undefined}
        controls
        playsInline
        preload={savesData() ? 'none' : 'metadata'}
        aria-label={video.alt || text.posts.video}
        onPointerDown={warm}
        onFocus={warm}
        onKeyDown={onKey}
        onPlay={(event) => {
          pauseOthers(event)
          place.start(event)
          onPlay(event)
        }}
        onTimeUpdate={place.passes}
        onPause={place.keep}
        onError={onError}
        style={{ aspectRatio: shape, ...placeholder }}
        className="mx-auto block max-h-[80dvh] w-full bg-black"
      />
      {whole && <PlaybackMenu onRate={setRate} playing={playing} />}
    </div>
  )
}
