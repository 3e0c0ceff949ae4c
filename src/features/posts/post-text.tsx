// PostText: what was written, five lines of it in the feed until more is asked for.
import { useLayoutEffect, useRef, useState } from 'react'
import type { MentionView } from '#contract/mentions.ts'
import { RichText } from '#src/lib/rich-text.tsx'
import { cx } from '#src/ui/cx.ts'
import { text } from '#src/lib/text.ts'

interface PostTextProps {
  content: string
  mentions: readonly MentionView[]
  folds: boolean
}

export function PostText({ content, mentions, folds }: PostTextProps) {
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
        <RichText text={content} mentions={mentions} />
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
