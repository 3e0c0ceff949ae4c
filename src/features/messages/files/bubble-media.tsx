// BubbleMedia: the images and the video of a message.
import { type CSSProperties, useState } from 'react'
import type { ImageView, MediaView, VideoView } from '#contract/posts/media.ts'
import { isStrip } from '#contract/kinds/long-pictures.ts'
import { isShownLong, sidesOf } from '#src/domain/media/long-views.ts'
import { useMotion, useStill } from '#src/domain/media/motion.ts'
import type { PickedPreview } from '#src/domain/media/prepare/picture.ts'
import { MotionButton } from '#src/ui/pictures/motion-button.tsx'
import { LongPicture, PickedPicture, ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { MediaGrid } from './media-grid.tsx'
import { cx } from '#src/ui/cx.ts'
import { text } from '#src/domain/text/text.ts'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { usePreview } from './previews.ts'
import { messageFilesText } from './text.ts'
import { messagesText as words } from '#src/features/messages/text.ts'

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
    <MediaGrid
      files={media.map((it) => ({
        id: it.id,
        isVideo: it.kind === 'video',
        shown:
          it.kind === 'video' ? (
            <Video video={it} />
          ) : (
            <Image image={it} label={words.imageOf(images.indexOf(it) + 1, images.length)} />
          ),
      }))}
    />
  )
}

/** The sender's own preview, behind a file of the server that is still being loaded. */
const behind = (preview: PickedPreview | undefined): CSSProperties =>
  preview === undefined ? {} : { backgroundImage: `url("${preview.src}")` }

function Image({ image, label }: { image: ImageView; label: string }) {
  const preview = usePreview(image.id)
  const still = useStill()(image)
  const motion = useMotion([image])
  const largest = image.sources.at(-1)
  if (image.state !== 'ready' || !largest) return <Unready media={image} label={label} />
  if (isShownLong(image)) return <LongImage image={image} label={label} />
  return (
    <span className="relative block size-full">
      <a
        href={largest.src}
        target="_blank"
        rel="noreferrer"
        style={still === undefined ? behind(preview) : {}}
        className="block size-full bg-cover bg-center"
      >
        <ShownPicture src={still ?? largest.src} alt={image.alt === '' ? label : image.alt} />
      </a>
      <MotionButton motion={motion} look="over-small" className="absolute bottom-0 left-0" />
    </span>
  )
}

/** The top of a strip, or the middle of a panorama; a press shows the whole. */
function LongImage({ image, label }: { image: ImageView; label: string }) {
  const [open, setOpen] = useState(false)
  const alt = image.alt === '' ? label : image.alt
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} className="block size-full cursor-zoom-in">
        <ShownPicture
          src={image.sources.at(-1)?.src ?? ''}
          alt={alt}
          className={cx('size-full object-cover', isStrip(sidesOf(image)) && 'object-top')}
        />
      </button>
      <Sheet open={open} onOpenChange={setOpen} title={label} closeLabel={text.close}>
        <div className="-mx-4 h-[75dvh]">
          <LongPicture image={image} alt={alt} />
        </div>
      </Sheet>
    </>
  )
}

function Video({ video }: { video: VideoView }) {
  const preview = usePreview(video.id)
  if (video.state !== 'ready' || video.src === null) return <Unready media={video} label={words.video} />
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
      style={behind(preview)}
      className="size-full bg-black bg-contain bg-center bg-no-repeat object-contain"
    />
  )
}

/** A file that the server has not made yet: its sender sees the picked one, if this page has it. */
function Unready({ media, label }: { media: MediaView; label: string }) {
  const preview = usePreview(media.id)
  if (preview !== undefined && media.state !== 'failed')
    return (
      <span className="relative block size-full">
        <PickedPicture id={media.id} preview={preview} alt={label} />
        <span className="absolute right-1 bottom-1 rounded-pill bg-black/60 px-2 text-xs whitespace-nowrap text-white">
          {messageFilesText.processing}
        </span>
      </span>
    )
  return (
    <p className="grid size-full place-items-center px-2 text-center text-xs text-soft">
      {media.state === 'failed' ? words.mediaFailed : words.mediaProcessing}
    </p>
  )
}
