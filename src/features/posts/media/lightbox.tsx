// Lightbox: a post's images in full screen, with zoom and alternative texts.
import 'yet-another-react-lightbox/styles.css'
import { useEffect, useState } from 'react'
import YetAnotherLightbox, { type GenericSlide, type Slide } from 'yet-another-react-lightbox'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import { isPanorama, isStrip } from '#contract/kinds/long-pictures.ts'
import type { ImageView } from '#contract/posts/media.ts'
import { postText as words } from '#src/features/posts/text.ts'
import { LongPicture } from '#src/domain/media/shown-picture.tsx'
import { text } from '#src/domain/text/text.ts'

/** A strip or a panorama, which is scrolled. */
interface LongSlide extends GenericSlide {
  type: 'long'
  alt: string
  image: ImageView
}

declare module 'yet-another-react-lightbox' {
  interface SlideTypes {
    long: LongSlide
  }
}

export interface LightboxProps {
  /** The images that are ready. */
  images: readonly ImageView[]
  at: number
  onView: (image: ImageView) => void
  onClose: () => void
}

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Whether the latest gesture has, or had, several fingers; the next one begins when one finger is put down alone. */
function useMultiTouch(): boolean {
  const [isMulti, setMulti] = useState(false)
  useEffect(() => {
    const fingers = new Set<number>()
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    const onDown = ({ pointerId }: PointerEvent) => setMulti(fingers.add(pointerId).size > 1)
    const onUp = ({ pointerId }: PointerEvent) => void fingers.delete(pointerId)
    document.addEventListener('pointerdown', onDown, options)
    document.addEventListener('pointerup', onUp, options)
    document.addEventListener('pointercancel', onUp, options)
    return () => listening.abort()
  }, [])
  return isMulti
}

export function Lightbox({ images, at, onView, onClose }: LightboxProps) {
  // The first slides stay, since the library restarts with new ones, even equal ones.
  const [opened] = useState(() => ({ at, images, slides: images.map(slideOf) }))
  // The library closes at the end of a pinch whose fingers are beside the picture, as after a tap there.
  const isPinched = useMultiTouch()
  const alone = opened.slides.length < 2
  return (
    <YetAnotherLightbox
      open
      close={onClose}
      index={opened.at}
      slides={opened.slides}
      plugins={[Zoom]}
      labels={{
        Previous: text.posts.previousImage,
        Next: text.posts.nextImage,
        Close: text.close,
        'Zoom in': words.zoomIn,
        'Zoom out': words.zoomOut,
        Lightbox: words.lightbox,
        'Photo gallery': text.posts.media,
        Carousel: words.carousel,
        Slide: words.slide,
        '{index} of {total}': words.imageOf,
      }}
      controller={{ closeOnPullDown: true, closeOnBackdropClick: !isPinched }}
      carousel={{ finite: true }}
      // Strips and panoramas are behind the buttons, and may be white.
      styles={{
        button: { background: 'rgb(0 0 0 / 0.5)', borderRadius: '9999px', filter: 'none', margin: 4 },
      }}
      {...(still() && { animation: { fade: 0, swipe: 0, navigation: 0 } })}
      zoom={{ maxZoomPixelRatio: 3, scrollToZoom: true }}
      render={{
        slide: ({ slide, offset }) =>
          slide.type === 'long' ? (
            <LongPicture image={slide.image} alt={slide.alt || words.openImage} focused={offset === 0} />
          ) : undefined,
        ...(alone && { buttonPrev: () => null, buttonNext: () => null }),
        slideFooter: ({ slide }) =>
          slide.alt ? (
            <p className="absolute inset-x-0 bottom-0 bg-black/60 px-4 pt-3 pb-[calc(12px+env(safe-area-inset-bottom,0px))] text-center text-white">
              {slide.alt}
            </p>
          ) : null,
      }}
      on={{
        view({ index }) {
          const image = opened.images[index]
          if (image) onView(image)
        },
      }}
    />
  )
}

/** One image as the viewer shows it, without the viewer. */
export function ViewerPicture({ image }: { image: ImageView }) {
  const slide = slideOf(image)
  const alt = slide.alt || words.openImage
  if (slide.type === 'long') return <LongPicture image={slide.image} alt={alt} />
  return <img src={slide.src} alt={alt} className="size-full object-contain" />
}

function slideOf(image: ImageView): Slide {
  const { sources, alt, width, height, still: first } = image
  if (first !== undefined && still()) return { src: first, alt }
  if (first === undefined && width && height && (isStrip({ width, height }) || isPanorama({ width, height })))
    return { type: 'long', alt, image }
  const largest = sources.at(-1)
  const ratio = width && height ? height / width : 1
  const scaled = sources.map((it) => ({ ...it, height: Math.round(it.width * ratio) }))
  return {
    src: largest?.src ?? '',
    alt,
    ...(largest && { width: largest.width, height: Math.round(largest.width * ratio) }),
    srcSet: scaled,
  }
}
