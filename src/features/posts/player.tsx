// Player: a video with the browser's own controls. Starting one pauses the others.
import { useState, type SyntheticEvent } from 'react'
import type { VideoView } from '#contract/media.ts'
import { usePlaceholder } from './placeholder.ts'
import { Waiting } from './waiting.tsx'
import { text } from '#src/lib/text.ts'

function pauseOthers(event: SyntheticEvent<HTMLVideoElement>): void {
  for (const video of document.querySelectorAll('video')) {
    if (video !== event.currentTarget) video.pause()
  }
}

export function Player({ video }: { video: VideoView }) {
  const [failed, setFailed] = useState(false)
  const placeholder = usePlaceholder(video.placeholder, 'contain')
  if (video.state === 'processing') return <Waiting state="processing" />
  if (failed || video.state === 'failed' || video.src === null) return <Waiting state="failed" of={video} />
  const shape = video.width && video.height ? `${video.width} / ${video.height}` : '16 / 9'
  return (
    // What people film comes without captions.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      src={video.src}
      poster={video.poster ?? undefined}
      controls
      playsInline
      preload="metadata"
      aria-label={video.alt || text.posts.video}
      onPlay={pauseOthers}
      onError={() => setFailed(true)}
      style={{ aspectRatio: shape, ...placeholder }}
      className="mx-auto block max-h-[80dvh] w-full bg-black"
    />
  )
}
