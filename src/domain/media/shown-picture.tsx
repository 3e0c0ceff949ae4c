// ShownPicture: an image element that says in its place when loading fails (specification section 8).
import { useState } from 'react'
import { mediaText } from './text.ts'

interface ShownPictureProps {
  src: string
  alt: string
  /** Classes of the loaded image; it fills its box and is cut to it without them. */
  className?: string
}

/** A failed image has no source and the alternative text `cannot show this file`; another `src` is tried again. */
export function ShownPicture({ src, alt, className = 'size-full object-cover' }: ShownPictureProps) {
  const [failed, setFailed] = useState<string>()
  const broken = failed === src
  return (
    <img
      // An element of its own: one that had a source keeps its broken sign beside the words.
      key={broken ? 'broken' : 'shown'}
      src={broken ? undefined : src}
      alt={broken ? mediaText.cannotShow : alt}
      draggable={false}
      onError={() => setFailed(src)}
      className={broken ? 'size-full px-2 pt-11 text-center text-xs text-soft' : className}
    />
  )
}
