// ImageGrid: up to four of a post's images in a feed, linked to the post.
import { Link } from '@tanstack/react-router'
import { ImageOff } from 'lucide-react'
import type { ImageView } from '#contract/posts/media.ts'
import { useMotion } from '#src/domain/media/motion.ts'
import { MotionButton } from '#src/ui/pictures/motion-button.tsx'
import { cx } from '#src/ui/cx.ts'
import { Picture } from './picture.tsx'
import { Waiting } from './waiting.tsx'
import { text } from '#src/domain/text/text.ts'
import { processingText } from './processing-text.ts'

const SHOWN = 4
const sizes = { one: '(min-width: 768px) 592px, 100vw', some: '(min-width: 768px) 296px, 50vw' }

/** The aspect ratio, between 4:5 and 2:1, so that no image fills the screen. */
function shapeOf(image: ImageView): string {
  const ratio = image.width && image.height ? image.width / image.height : 4 / 3
  return String(Math.min(2, Math.max(0.8, ratio)))
}

export function ImageGrid({
  images,
  postId,
  eager,
}: {
  images: readonly ImageView[]
  postId: string
  eager: boolean
}) {
  const shown = images.slice(0, SHOWN)
  const [first] = shown
  const motion = useMotion(shown)
  if (!first) return null
  if (images.some((it) => it.state === 'processing')) return <Waiting state="processing" />
  if (images.length === 1 && first.state === 'failed') return <Waiting state="failed" of={first} />
  const alone = shown.length === 1
  return (
    // Above the card, whose whole is a link too.
    <div className="relative z-1">
      <Link
        to="/post/$id"
        params={{ id: postId }}
        viewTransition
        onClick={({ currentTarget }) => {
          // Only the pressed picture has the name, so that it alone is animated to the post's page.
          currentTarget.style.viewTransitionName = 'post-media'
        }}
        className={cx(
          'relative grid gap-0.5 overflow-hidden',
          !alone && 'aspect-4/3 grid-cols-2 grid-rows-2',
        )}
        style={alone ? { aspectRatio: shapeOf(first) } : {}}
      >
        {/* No aria-label: the name includes the text of failed images (WCAG 2.5.3). */}
        <span className="sr-only">{text.posts.open}</span>
        {shown.map((image, i) => (
          <span key={image.id} className={cx('relative min-h-0', cellOf(i, shown.length))}>
            {image.state === 'failed' ? (
              <FailedCell />
            ) : (
              <Picture
                image={image}
                label={text.posts.imageOf(i + 1, images.length)}
                sizes={alone ? sizes.one : sizes.some}
                fit="cover"
                eager={eager}
                className="absolute inset-0"
              />
            )}
            {i === SHOWN - 1 && images.length > SHOWN && <More count={images.length - SHOWN} />}
          </span>
        ))}
      </Link>
      <MotionButton motion={motion} className="absolute bottom-1 left-1" />
    </div>
  )
}

/** Classes of a cell: two are side by side, of three the first is tall, four form a square. */
function cellOf(at: number, all: number): string | false {
  if (all === 1) return 'col-span-2 row-span-2'
  if (all === 2) return 'row-span-2'
  return all === 3 && at === 0 && 'row-span-2'
}

/** A failed image; its actions are on the post's page. */
function FailedCell() {
  return (
    <span className="absolute inset-0 flex flex-col items-center justify-center gap-2 bg-sunk px-3 text-center text-xs text-soft">
      <ImageOff aria-hidden size={22} />
      {processingText.failedImage}
    </span>
  )
}

function More({ count }: { count: number }) {
  return (
    <span className="absolute inset-0 grid place-items-center bg-black/60 text-xl font-semibold text-white tabular-nums">
      +{count}
    </span>
  )
}
