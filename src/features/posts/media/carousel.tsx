// Carousel: a post's images one after the other; a press enlarges one.
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type RefObject, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ImageView } from '#contract/posts/media.ts'
import { useMotion } from '#src/domain/media/motion.ts'
import { MotionButton } from '#src/ui/pictures/motion-button.tsx'
import { lazyOptional } from '#src/lib/lazy-optional.ts'
import { postText as words } from '#src/features/posts/text.ts'
import { Badge } from '#src/ui/badge.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import type { LightboxProps } from './lightbox.tsx'
import { isLong, Picture } from './picture.tsx'
import { Waiting } from './waiting.tsx'
import { text } from '#src/domain/text/text.ts'

const Lightbox = lazyOptional<LightboxProps>(async () => (await import('./lightbox.tsx')).Lightbox)

/** The image that fills the screen; stored in the URL, so that going back closes it. */
export interface Enlarged {
  readonly at: number | undefined
  readonly onOpen: (at: number) => void
  readonly onClose: () => void
}

export function Carousel({ images, enlarged }: { images: readonly ImageView[]; enlarged: Enlarged }) {
  const strip = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(0)
  const all = images.length
  function go(to: number, behavior: ScrollBehavior = 'smooth') {
    const list = strip.current
    list?.scrollTo({ left: Math.min(all - 1, Math.max(0, to)) * list.clientWidth, behavior })
  }
  return (
    <section
      className="relative [view-transition-name:post-media]"
      aria-roledescription="carousel"
      aria-label={text.posts.media}
    >
      <ul
        ref={strip}
        // Focusable, so that arrow keys scroll from image to image.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={all > 1 ? 0 : undefined}
        onScroll={({ currentTarget: list }) =>
          setAt(Math.round(list.scrollLeft / Math.max(1, list.clientWidth)))
        }
        className="scroll-quiet flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain bg-sunk focus-visible:-outline-offset-2"
      >
        {images.map((image, i) => (
          <Slide
            key={image.id}
            image={image}
            label={text.posts.imageOf(i + 1, all)}
            first={i === 0}
            shape={shapeOf(images)}
            onOpen={() => enlarged.onOpen(i)}
          />
        ))}
      </ul>
      {all > 1 && (
        <>
          <span className="pointer-events-none absolute top-3 right-3" aria-hidden>
            <Badge look="over">
              {at + 1} / {all}
            </Badge>
          </span>
          <Arrows at={at} all={all} go={go} />
        </>
      )}
      <Large images={images} enlarged={enlarged} onView={(index) => go(index, 'instant')} strip={strip} />
    </section>
  )
}

interface LargeProps {
  images: readonly ImageView[]
  enlarged: Enlarged
  onView: (at: number) => void
  strip: RefObject<HTMLUListElement | null>
}

/** The lightbox with the ready images; after it the last viewed image is focused. */
function Large({ images, enlarged, onView, strip }: LargeProps) {
  const ready = images.filter((it) => it.state === 'ready' && it.sources.length > 0)
  const enlargedImage: ImageView | undefined = enlarged.at === undefined ? undefined : images[enlarged.at]
  const open = enlargedImage !== undefined && ready.includes(enlargedImage)
  const seen = useRef<number>(undefined)
  const goTo = useEffectEvent(onView)
  useEffect(() => {
    if (open || seen.current === undefined) return undefined
    const index = seen.current
    seen.current = undefined
    // After the lightbox has released the page and the history has restored the strip's position.
    const frame = requestAnimationFrame(() => {
      goTo(index)
      strip.current?.querySelectorAll('li')[index]?.querySelector('button')?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [open, strip])
  if (!open) return null
  return (
    <Suspense>
      <Lightbox
        images={ready}
        at={ready.indexOf(enlargedImage)}
        onView={({ id }) => {
          const index = images.findIndex((it) => it.id === id)
          if (index === -1) return
          seen.current = index
          onView(index)
        }}
        onClose={enlarged.onClose}
      />
    </Suspense>
  )
}

/** The aspect ratio of the strip: that of the tallest image, within limits. */
function shapeOf(images: readonly ImageView[]): string {
  const ratios = images.map((it) => (it.width && it.height ? it.width / it.height : 4 / 3))
  return String(Math.min(2, Math.max(0.75, Math.min(...ratios))))
}

interface SlideProps {
  image: ImageView
  label: string
  first: boolean
  shape: string
  onOpen: () => void
}

function Slide({ image, label, first, shape, onOpen }: SlideProps) {
  const motion = useMotion([image])
  return (
    <li
      className="relative grid w-full shrink-0 snap-center place-items-center"
      style={{ aspectRatio: shape }}
    >
      {image.state === 'ready' ? (
        <button
          type="button"
          title={words.openImage}
          onClick={onOpen}
          className="relative size-full min-h-0 cursor-zoom-in focus-visible:-outline-offset-2"
        >
          <Picture
            image={image}
            label={label}
            sizes="(min-width: 768px) 640px, 100vw"
            fit={isLong(image) ? 'cover' : 'contain'}
            eager={first}
          />
          {isLong(image) && (
            <span className="absolute inset-x-0 bottom-3 grid place-items-center">
              <Badge look="over">{words.whole}</Badge>
            </span>
          )}
        </button>
      ) : (
        <Waiting state={image.state} of={image} />
      )}
      <MotionButton motion={motion} className="absolute bottom-1 left-1" />
    </li>
  )
}

function Arrows({ at, all, go }: { at: number; all: number; go: (to: number) => void }) {
  return (
    <div className="hidden rail:block">
      {at > 0 && (
        <IconButton
          look="over"
          label={text.posts.previousImage}
          icon={<ChevronLeft size={22} />}
          onClick={() => go(at - 1)}
          className="absolute top-1/2 left-3 -translate-y-1/2"
        />
      )}
      {at < all - 1 && (
        <IconButton
          look="over"
          label={text.posts.nextImage}
          icon={<ChevronRight size={22} />}
          onClick={() => go(at + 1)}
          className="absolute top-1/2 right-3 -translate-y-1/2"
        />
      )}
    </div>
  )
}
