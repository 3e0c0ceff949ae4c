// PostText: what was written, five lines of it in the feed until more is asked for.
import { useLayoutEffect, useRef, useState } from 'react'
import { cx } from '#src/ui/cx.ts'
import { Prose } from '#src/ui/prose.tsx'
import { text } from '#src/lib/text.ts'

export function PostText({ content, folds }: { content: string; folds: boolean }) {
  const [open, setOpen] = useState(!folds)
  const [more, setMore] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (element && !open) setMore(element.scrollHeight > element.clientHeight + 1)
  }, [open])
  if (content.trim() === '') return null
  return (
    <div className="px-4 rail:px-6">
      <div ref={box} className={cx('[&_a]:relative [&_a]:z-1', !open && 'clamp-5')}>
        <Prose text={content} />
      </div>
      {more && !open && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="relative z-1 -mb-2 min-h-11 font-semibold text-soft hover:text-ink"
        >
          {text.posts.more}
        </button>
      )}
    </div>
  )
}
