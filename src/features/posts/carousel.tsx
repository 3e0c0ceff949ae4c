// Carousel: a post's images one after the other, by swipe, by button or by arrow key.
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ImageView } from '#contract/media.ts'
import { Badge } from '#src/ui/badge.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Picture } from './picture.tsx'
import { Waiting } from './waiting.tsx'
import { text } from '#src/lib/text.ts'

export function Carousel({ images }: { images: readonly ImageView[] }) {
  const strip = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(0)
  const all = images.length
  function go(to: number) {
    const list = strip.current
    list?.scrollTo({ left: Math.min(all - 1, Math.max(0, to)) * list.clientWidth, behavior: 'smooth' })
  }
  return (
    <section
      className="relative [view-transition-name:post-media]"
      aria-roledescription="carousel"
      aria-label={text.posts.media}
    >
      <ul
        ref={strip}
        // A keyboard scrolls what it can reach: arrow keys then go from image to image.
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
    </section>
  )
}

/** One height for the whole strip: that of the tallest, within reason. */
function shapeOf(images: readonly ImageView[]): string {
  const ratios = images.map((it) => (it.width && it.height ? it.width / it.height : 4 / 3))
  return String(Math.min(2, Math.max(0.75, Math.min(...ratios))))
}

function Slide({
  image,
  label,
  first,
  shape,
}: {
  image: ImageView
  label: string
  first: boolean
  shape: string
}) {
  return (
    <li className="grid w-full shrink-0 snap-center place-items-center" style={{ aspectRatio: shape }}>
      {image.state === 'ready' ? (
        <Picture
          image={image}
          label={label}
          sizes="(min-width: 768px) 640px, 100vw"
          fit="contain"
          eager={first}
        />
      ) : (
        <Waiting state={image.state} of={image} />
      )}
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
