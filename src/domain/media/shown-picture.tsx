// ShownPicture and LongPicture: a picture in its box, and one that is scrolled.
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState, type WheelEvent } from 'react'
import { isStrip } from '#contract/kinds/long-pictures.ts'
import type { ImageView, PicturePart } from '#contract/posts/media.ts'
import { mediaText } from './text.ts'

interface ShownPictureProps {
  src: string
  alt: string
  /** The first frame of a moving picture, which is shown where motion is reduced. */
  still?: string | undefined
  /** Classes of the loaded image; by default it fills its box and is cropped. */
  className?: string
}

/** A failed image has no source and the alternative text `cannot show this file`. Another `src` is loaded. */
export function ShownPicture({ src, alt, still, className = 'size-full object-cover' }: ShownPictureProps) {
  const [failed, setFailed] = useState<string>()
  const broken = failed === src
  const shown = (
    <img
      // A new element: one that had a source would still show the browser's broken-image icon.
      key={broken ? 'broken' : 'shown'}
      src={broken ? undefined : src}
      alt={broken ? mediaText.cannotShow : alt}
      draggable={false}
      onError={() => setFailed(src)}
      className={broken ? 'size-full px-2 pt-11 text-center text-xs text-soft' : className}
    />
  )
  if (still === undefined || broken) return shown
  return (
    <picture className="contents">
      <source media="(prefers-reduced-motion: reduce)" srcSet={still} />
      {shown}
    </picture>
  )
}

interface LongPictureProps {
  image: Pick<ImageView, 'width' | 'height' | 'sources' | 'parts'>
  alt: string
  /** Whether it takes the keyboard's focus when it appears, so that arrow keys scroll it. */
  focused?: boolean
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
export function LongPicture({ image, alt, focused = false }: LongPictureProps) {
  const box = useRef<HTMLElement>(null)
  const parts = partsOf(image)
  const strip = isStrip({ width: image.width ?? 1, height: image.height ?? 1 })
  useEffect(() => {
    if (focused) box.current?.focus({ preventScroll: true })
  }, [focused])

  // What scrolls the picture does not reach the viewer, which would zoom, close or go to the next picture.
  function onWheel(event: WheelEvent<HTMLElement>): void {
    event.stopPropagation()
    if (!strip && event.deltaX === 0) event.currentTarget.scrollLeft += event.deltaY
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const { key, currentTarget: it } = event
    if (!(strip ? keys.strip : keys.panorama).has(key)) return
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
      className={
        strip
          ? 'size-full touch-pan-y overflow-x-hidden overflow-y-auto overscroll-contain'
          : 'flex size-full touch-pan-x items-center overflow-x-auto overflow-y-hidden overscroll-contain'
      }
    >
      {strip ? (
        <Strip parts={parts} alt={alt} />
      ) : (
        parts.map((it) => <Panorama key={it.src} whole={it} alt={alt} />)
      )}
    </section>
  )
}

/** Widest column of a strip, px. */
const COLUMN = 960

function Strip({ parts, alt }: { parts: readonly PicturePart[]; alt: string }) {
  return (
    <div className="mx-auto max-w-full" style={{ width: Math.min(COLUMN, parts[0]?.width ?? COLUMN) }}>
      {parts.map((it, i) => (
        <img
          key={it.src}
          src={it.src}
          alt={i === 0 ? alt : ''}
          width={it.width}
          height={it.height}
          loading={i === 0 ? 'eager' : 'lazy'}
          decoding="async"
          draggable={false}
          className="block h-auto w-full max-w-none"
        />
      ))}
    </div>
  )
}

function Panorama({ whole, alt }: { whole: PicturePart; alt: string }) {
  return (
    <img
      src={whole.src}
      alt={alt}
      width={whole.width}
      height={whole.height}
      draggable={false}
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
