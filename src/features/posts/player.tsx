// Player: a video with the browser's own controls. Starting one pauses the others.
import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import type { VideoView } from '#contract/media.ts'
import { usePlaceholder } from './placeholder.ts'
import { fetchLibrary, firstSource, playSegments, wantsLibrary } from './segments.ts'
import { Waiting } from './waiting.tsx'
import { text } from '#src/lib/text.ts'

type Happening = SyntheticEvent<HTMLVideoElement>

function pauseOthers({ currentTarget }: Happening): void {
  for (const video of document.querySelectorAll('video')) {
    if (video !== currentTarget) video.pause()
  }
}

/** Goes on with the MP4 from where the segments ended. */
function goOnWith(element: HTMLVideoElement, src: string): void {
  const reached = element.currentTime
  element.src = src
  element.currentTime = reached
  void element.play().catch(() => undefined)
}

/** Plays by segments where there are some, and by the MP4 where those fail; `failed` when neither plays. */
function useSource(video: VideoView) {
  const [failed, setFailed] = useState(false)
  /** How to let go of the element once the library has it; `ended` when it gave it back. */
  const library = useRef<Promise<() => void> | 'ended' | undefined>(undefined)
  useEffect(() => () => void (library.current !== 'ended' && library.current?.then((letGo) => letGo())), [])

  function toMp4(element: HTMLVideoElement): void {
    library.current = 'ended'
    if (video.src === null) setFailed(true)
    else goOnWith(element, video.src)
  }
  return {
    failed,
    onPlay: ({ currentTarget: element }: Happening) => {
      if (library.current || video.hls === undefined || !wantsLibrary(video)) return
      library.current = playSegments(element, video.hls, () => toMp4(element))
      // Without it the MP4 simply plays on.
      library.current.catch(() => (library.current = 'ended'))
    },
    onError: ({ currentTarget: element }: Happening) => {
      // While the library has the element, what goes wrong is told to the library too.
      if (library.current && library.current !== 'ended') return
      if (element.getAttribute('src') === video.hls) toMp4(element)
      else setFailed(true)
    },
  }
}

export function Player({ video }: { video: VideoView }) {
  const placeholder = usePlaceholder(video.placeholder, 'contain')
  const { failed, onPlay, onError } = useSource(video)
  const src = firstSource(video)
  const warm = () => void (wantsLibrary(video) && fetchLibrary().catch(() => undefined))
  if (video.state === 'processing') return <Waiting state="processing" />
  if (failed || video.state === 'failed' || src === null) return <Waiting state="failed" of={video} />
  const shape = video.width && video.height ? `${video.width} / ${video.height}` : '16 / 9'
  return (
    // What people film comes without captions.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      src={src}
      poster={video.poster ?? undefined}
      controls
      playsInline
      preload="metadata"
      aria-label={video.alt || text.posts.video}
      onPointerDown={warm}
      onFocus={warm}
      onPlay={(event) => {
        pauseOthers(event)
        onPlay(event)
      }}
      onError={onError}
      style={{ aspectRatio: shape, ...placeholder }}
      className="mx-auto block max-h-[80dvh] w-full bg-black"
    />
  )
}
