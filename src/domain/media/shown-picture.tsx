// ShownPicture, PickedPicture and LongPicture: a picture in its box, and one that is scrolled.
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type TouchEvent,
  useEffect,
  useRef,
  useState,
  type WheelEvent,
} from 'react'
import { isStrip } from '#contract/kinds/long-pictures.ts'
import type { ImageView, PicturePart } from '#contract/posts/media.ts'
import { useFailedSource } from '#src/lib/failed-source.ts'
import { useStill } from './motion.ts'
import { usePlaceholder } from './placeholder.ts'
import type { PickedPreview } from './prepare/picture.ts'
import { mediaText } from './text.ts'

interface ShownPictureProps {
  src: string
  alt: string
  /** Classes of the loaded image; by default it fills its box and is cropped. */
  className?: string
}

/** A failed image has no source and the alternative text `cannot show this file`. Another `src` is loaded. */
export function ShownPicture({ src, alt, className = 'size-full object-cover' }: ShownPictureProps) {
  const [broken, fail] = useFailedSource(src)
  return (
    <img
      // A new element: one that had a source would still show the browser's broken-image icon.
      key={broken ? 'broken' : 'shown'}
      src={broken ? undefined : src}
      alt={broken ? mediaText.cannotShow : alt}
      draggable={false}
      onError={fail}
      className={broken ? 'size-full px-2 pt-11 text-center text-xs text-soft' : className}
    />
  )
}

interface PickedPictureProps {
  /** Id of the file, which the server's picture will have too. */
  id: string
  preview: PickedPreview
  alt: string
}

/** A picture on this device: one that moves is still where motion is reduced. */
export function PickedPicture({ id, preview: { src, still }, alt }: PickedPictureProps) {
  return <ShownPicture src={useStill()({ id, still }) ?? src} alt={alt} />
}

interface LongPictureProps {
  image: Pick<ImageView, 'width' | 'height' | 'sources' | 'parts' | 'placeholder'>
  alt: string
  /** Whether it takes the keyboard's focus when it appears, so that arrow keys scroll it. */
  focused?: boolean
  /** A key or a swipe that leads on from the end of a panorama (1), or back from its beginning (-1). */
  onBeyond?: (step: 1 | -1) => void
}

/** The parts of a picture from the top; the whole where it was not cut. */
function partsOf({ width, height, sources, parts }: LongPictureProps['image']): PicturePart[] {
  if (parts) return parts
  const largest = sources.at(-1)
  if (!largest || !width || !height) return []
  return [{ ...largest, height: Math.round((largest.width * height) / width) }]
}

/** Keys that scroll along each side. */
const keys = {
  strip: new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']),
  panorama: new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End']),
}

/** A strip or a panorama that fills its box's shorter side and is scrolled. */
export function LongPicture({ image, alt, focused = false, onBeyond }: LongPictureProps) {
  const box = useRef<HTMLElement>(null)
  const parts = partsOf(image)
  const strip = isStrip({ width: image.width ?? 1, height: image.height ?? 1 })
  useEffect(() => {
    if (focused) box.current?.focus({ preventScroll: true })
  }, [focused])

  const beyondEnds = useSwipesBeyond(onBeyond)

  // What scrolls the picture does not reach the viewer, which would zoom, close or go to the next picture.
  function onWheel(event: WheelEvent<HTMLElement>): void {
    event.stopPropagation()
    if (!strip && event.deltaX === 0) event.currentTarget.scrollLeft += event.deltaY
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const { key, currentTarget: it } = event
    if (!(strip ? keys.strip : keys.panorama).has(key)) return
    if (!strip && key.startsWith('Arrow') && isAtEnd(it, key === 'ArrowRight' ? 1 : -1)) {
      // A held key stops at the end. The viewer itself would lead on by it.
      event.stopPropagation()
      if (!event.repeat) onBeyond?.(key === 'ArrowRight' ? 1 : -1)
      return
    }
    event.stopPropagation()
    // Browsers scroll only upwards and downwards by these.
    if (!strip && key === 'Home') it.scrollLeft = 0
    if (!strip && key === 'End') it.scrollLeft = it.scrollWidth
  }
  return (
    // A scrolled region: keys and the wheel move the picture in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={box}
      aria-label={alt}
      // Focusable, so that keys scroll it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onWheel={onWheel}
      onKeyDown={onKeyDown}
      {...dragging}
      {...(!strip && onBeyond && beyondEnds)}
      className={
        strip
          ? 'size-full touch-pan-y overflow-x-hidden overflow-y-auto overscroll-contain'
          : 'flex size-full touch-pan-x items-center overflow-x-auto overflow-y-hidden overscroll-contain'
      }
    >
      {strip ? (
        <Strip parts={parts} alt={alt} placeholder={image.placeholder} />
      ) : (
        parts.map((it) => <Panorama key={it.src} whole={it} alt={alt} placeholder={image.placeholder} />)
      )}
    </section>
  )
}

/** Whether a panorama is scrolled to its end (1) or its beginning (-1). */
const isAtEnd = (box: HTMLElement, step: 1 | -1): boolean =>
  step > 0 ? box.scrollLeft >= box.scrollWidth - box.clientWidth - 1 : box.scrollLeft <= 1

/** Shortest swipe that leads to another picture, px. */
const SWIPE = 50

/** Swipes of one finger that began at an end of a panorama and lead beyond it; others scroll it. */
function useSwipesBeyond(onBeyond: ((step: 1 | -1) => void) | undefined) {
  const begun = useRef<{ x: number; y: number; ends: readonly (1 | -1)[] }>(undefined)
  return {
    onTouchStart({ touches, currentTarget }: TouchEvent<HTMLElement>) {
      const first = touches[0]
      const ends = ([1, -1] as const).filter((it) => isAtEnd(currentTarget, it))
      begun.current = first && touches.length === 1 ? { x: first.clientX, y: first.clientY, ends } : undefined
    },
    onTouchEnd({ changedTouches }: TouchEvent<HTMLElement>) {
      const last = changedTouches[0]
      const from = begun.current
      begun.current = undefined
      if (!from || !last) return
      const [x, y] = [last.clientX - from.x, last.clientY - from.y]
      const step = x < 0 ? 1 : -1
      if (Math.abs(x) > Math.max(SWIPE, 2 * Math.abs(y)) && from.ends.includes(step)) onBeyond?.(step)
    },
  }
}

/** Widest column of a strip, px. */
const COLUMN = 960

interface LongImageProps {
  part: PicturePart
  alt: string
  placeholder: string | undefined
  lazy?: boolean
  className: string
  style?: CSSProperties
}

/** One part: its colours while it loads, and the text of section 8 where it fails. */
function LongImage({ part, alt, placeholder, lazy = false, className, style }: LongImageProps) {
  const [loaded, setLoaded] = useState(false)
  const [failed, fail] = useFailedSource(part.src)
  const colours = usePlaceholder(placeholder, 'cover', !loaded && !failed)
  return (
    <img
      key={failed ? 'failed' : 'shown'}
      src={failed ? undefined : part.src}
      alt={failed ? mediaText.cannotShow : alt}
      width={part.width}
      height={part.height}
      loading={lazy ? 'lazy' : 'eager'}
      decoding="async"
      draggable={false}
      onLoad={() => setLoaded(true)}
      onError={fail}
      style={{ ...colours, ...style }}
      className={failed ? `${className} bg-sunk text-center text-sm text-soft` : className}
    />
  )
}

interface StripProps {
  parts: readonly PicturePart[]
  alt: string
  placeholder: string | undefined
}

function Strip({ parts, alt, placeholder }: StripProps) {
  return (
    <div className="mx-auto max-w-full" style={{ width: Math.min(COLUMN, parts[0]?.width ?? COLUMN) }}>
      {parts.map((it, i) => (
        <LongImage
          key={it.src}
          part={it}
          alt={i === 0 ? alt : ''}
          placeholder={placeholder}
          lazy={i > 0}
          className="block h-auto w-full max-w-none"
        />
      ))}
    </div>
  )
}

interface PanoramaProps {
  whole: PicturePart
  alt: string
  placeholder: string | undefined
}

function Panorama({ whole, alt, placeholder }: PanoramaProps) {
  return (
    <LongImage
      part={whole}
      alt={alt}
      placeholder={placeholder}
      className="mx-auto block h-full w-auto max-w-none shrink-0"
      style={{ maxHeight: whole.height }}
    />
  )
}

/** Dragging with a mouse scrolls; fingers scroll by themselves. */
const dragging = {
  onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.pointerType !== 'mouse') return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
  },
  onPointerMove({ currentTarget: box, pointerId, movementX, movementY }: PointerEvent<HTMLElement>) {
    if (box.hasPointerCapture(pointerId))
      box.scrollBy({ left: -movementX, top: -movementY, behavior: 'instant' })
  },
}
