// PostText: the text of a post, folded to five lines in the feed.
import { Link } from '@tanstack/react-router'
import { useLayoutEffect, useRef, useState } from 'react'
import type { MentionView } from '#contract/text/mentions.ts'
import { RichText } from '#src/domain/posts/rich-text.tsx'
import { cx } from '#src/ui/cx.ts'
import { text } from '#src/domain/text/text.ts'

interface PostTextProps {
  postId: string
  content: string
  mentions: readonly MentionView[]
  folds: boolean
}

/** Longer texts are not expanded in the feed but link to the post's page. */
const MAX_IN_FEED = { chars: 1000, lines: 40 } as const

const isLong = (content: string): boolean =>
  content.length > MAX_IN_FEED.chars || content.split('\n').length > MAX_IN_FEED.lines

const moreClass =
  'relative z-1 -mb-2 inline-flex min-h-11 items-center font-semibold text-soft hover:text-ink'

export function PostText({ postId, content, mentions, folds }: PostTextProps) {
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
      {more &&
        !open &&
        (isLong(content) ? (
          <Link to="/post/$id" params={{ id: postId }} className={moreClass}>
            {text.posts.more}
          </Link>
        ) : (
          <button type="button" onClick={() => setOpen(true)} className={moreClass}>
            {text.posts.more}
          </button>
        ))}
    </div>
  )
}
