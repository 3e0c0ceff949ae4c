// Lightbox: a post's images in full screen, with zoom and alternative texts.
import 'yet-another-react-lightbox/styles.css'
import { useEffect, useState } from 'react'
import { Pause, Play } from 'lucide-react'
import YetAnotherLightbox, {
  type GenericSlide,
  ImageSlide,
  type RenderSlideProps,
  type Slide,
  type SlideImage,
  useController,
  useLightboxState,
} from 'yet-another-react-lightbox'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import type { ImageView } from '#contract/posts/media.ts'
import { postText as words } from '#src/features/posts/text.ts'
import { isShownLong } from '#src/domain/media/long-views.ts'
import { useMotion, useStill } from '#src/domain/media/motion.ts'
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
  interface SlideImage {
    /** The picture, if it is a moving one. */
    moving?: ImageView
  }
}

export interface LightboxProps {
  /** The images that are ready. */
  images: readonly ImageView[]
  at: number
  onView: (image: ImageView) => void
  onClose: () => void
}

const isReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches

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
      styles={{ button }}
      {...(isReduced() && { animation: { fade: 0, swipe: 0, navigation: 0 } })}
      toolbar={{ buttons: [<StopButton key="stop" />, 'close'] }}
      zoom={{ maxZoomPixelRatio: 3, scrollToZoom: true }}
      render={{
        slide: ({ slide, offset, rect }) =>
          slide.type === 'long' ? (
            <Long slide={slide} focused={offset === 0} />
          ) : slide.moving ? (
            <Moving slide={slide} image={slide.moving} rect={rect} offset={offset} />
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

/** Strips and panoramas are behind the buttons, and may be white. */
const button = {
  background: 'rgb(0 0 0 / 0.5)',
  borderRadius: '9999px',
  filter: 'none',
  margin: 4,
}

/** Stops and plays the shown picture. */
function StopButton() {
  const { currentSlide: slide } = useLightboxState()
  const image = slide && slide.type !== 'long' ? slide.moving : undefined
  const motion = useMotion(image ? [image] : [])
  if (!motion) return null
  const Icon = motion.moves ? Pause : Play
  return (
    <button
      type="button"
      aria-label={motion.label}
      title={motion.label}
      onClick={motion.toggle}
      style={button}
      className="yarl__button"
    >
      <Icon aria-hidden className="yarl__icon" strokeWidth={1.5} />
    </button>
  )
}

/** A picture that is scrolled, and led on from at its ends. */
function Long({ slide, focused }: { slide: LongSlide; focused: boolean }) {
  const { next, prev } = useController()
  return (
    <LongPicture
      image={slide.image}
      alt={slide.alt || words.openImage}
      focused={focused}
      onBeyond={(step) => (step > 0 ? next() : prev())}
    />
  )
}

interface MovingProps extends Pick<RenderSlideProps, 'rect' | 'offset'> {
  slide: SlideImage
  image: ImageView
}

/** A moving picture, or its first frame while it is stopped, in the same place. */
function Moving({ slide, image, rect, offset }: MovingProps) {
  const still = useStill()(image)
  const { width = rect.width, height = rect.height } = slide
  const scale = Math.min(1, rect.width / width, rect.height / height)
  return (
    <ImageSlide
      slide={still === undefined ? slide : { ...slide, src: still, srcSet: [] }}
      rect={rect}
      offset={offset}
      style={{ width: width * scale, height: height * scale }}
    />
  )
}

function slideOf(image: ImageView): Slide {
  const { sources, alt, width, height, still: first } = image
  if (isShownLong(image)) return { type: 'long', alt, image }
  const largest = sources.at(-1)
  const ratio = width && height ? height / width : 1
  const scaled = sources.map((it) => ({ ...it, height: Math.round(it.width * ratio) }))
  return {
    src: largest?.src ?? '',
    alt,
    ...(largest && { width: largest.width, height: Math.round(largest.width * ratio) }),
    srcSet: scaled,
    ...(first !== undefined && { moving: image }),
  }
}
