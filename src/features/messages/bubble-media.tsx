// BubbleMedia: the images and the video of a message.
import type { ImageView, MediaView, VideoView } from '#contract/posts/media.ts'
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { messagesText as words } from './text.ts'

interface BubbleMediaProps {
  readonly media: readonly MediaView[]
  /** Number of files that are not shown before the request is accepted. */
  readonly hidden: number
}

export function BubbleMedia({ media, hidden }: BubbleMediaProps) {
  if (hidden > 0) return <p className="py-1 text-sm text-soft">{words.hiddenMedia(hidden)}</p>
  if (media.length === 0) return null
  const images = media.filter((it) => it.kind === 'image')
  return (
    <div className="my-1 flex flex-col gap-1">
      {images.length > 0 && (
        <ul className={images.length === 1 ? 'grid' : 'grid grid-cols-2 gap-1'}>
          {images.map((it, n) => (
            <li key={it.id} className="aspect-4/3 w-full min-w-28 overflow-hidden rounded-field bg-sunk">
              <Image image={it} label={words.imageOf(n + 1, images.length)} />
            </li>
          ))}
        </ul>
      )}
      {media.map((it) => it.kind === 'video' && <Video key={it.id} video={it} />)}
    </div>
  )
}

function Image({ image, label }: { image: ImageView; label: string }) {
  const largest = image.sources.at(-1)
  if (image.state !== 'ready' || !largest) return <Unready state={image.state} />
  return (
    <a href={largest.src} target="_blank" rel="noreferrer" className="block size-full">
      <ShownPicture src={largest.src} alt={image.alt === '' ? label : image.alt} />
    </a>
  )
}

function Video({ video }: { video: VideoView }) {
  if (video.state !== 'ready' || video.src === null)
    return (
      <div className="aspect-video w-full min-w-28 overflow-hidden rounded-field bg-sunk">
        <Unready state={video.state} />
      </div>
    )
  return (
    // Members record these themselves; there are no captions.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      controls
      playsInline
      preload="none"
      src={video.src}
      poster={video.poster ?? undefined}
      aria-label={words.video}
      className="aspect-video w-full min-w-44 rounded-field bg-black object-contain"
    />
  )
}

function Unready({ state }: { state: MediaView['state'] }) {
  return (
    <p className="grid size-full place-items-center px-2 text-center text-xs text-soft">
      {state === 'failed' ? words.mediaFailed : words.mediaProcessing}
    </p>
  )
}
