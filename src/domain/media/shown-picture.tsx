// ShownPicture: an image element that shows a text when loading fails (specification section 8).
import { useState } from 'react'
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
