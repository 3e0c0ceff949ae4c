// ShownPicture: a picked picture; one that fails to load says so (specification section 8).
import { useState } from 'react'
import { mediaText } from '#src/lib/text-media.ts'
import { cx } from '#src/ui/cx.ts'

export function ShownPicture({ src, alt }: { src: string; alt: string }) {
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
      className={cx('size-full', broken ? 'px-2 pt-11 text-center text-xs text-soft' : 'object-cover')}
    />
  )
}
