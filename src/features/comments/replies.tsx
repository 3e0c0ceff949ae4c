// Replies: the replies of a comment, folded until they are opened.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import type { CommentView } from '#contract/posts/comments.ts'
import { hasFailed, loadEarlier, loadMore } from '#src/domain/queries/load-more.ts'
import { isAway } from '#src/domain/offline/cached-reads.ts'
import { commentsText as words } from './text.ts'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { CommentItem, type CommentContext } from './comment-item.tsx'
import { ReadFailed } from './read-failed.tsx'
import { commentsIn, repliesQuery } from './reading.ts'
import { CommentSkeleton } from './skeleton.tsx'

interface RepliesProps {
  comment: CommentView
  talk: CommentContext
  open: boolean
  /** Whether the reply in the URL belongs to this comment. */
  holdsMarked: boolean
  onOpenChange: (open: boolean) => void
  onMarkedShown: () => void
}

const fold =
  'ml-[68px] inline-flex min-h-11 items-center text-sm font-semibold text-soft hover:text-ink rail:ml-19'

export function Replies({ comment, talk, open, holdsMarked, onOpenChange, onMarkedShown }: RepliesProps) {
  const id = useId()
  if (comment.replies === 0) return null
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => onOpenChange(!open)}
        className={fold}
      >
        {open ? words.foldReplies : words.replies(comment.replies)}
      </button>
      <div id={id} className="pl-13">
        {open && (
          <Below
            comment={comment}
            talk={talk}
            around={holdsMarked ? talk.marked : undefined}
            onMarkedShown={onMarkedShown}
          />
        )}
      </div>
    </>
  )
}

interface BelowProps {
  comment: CommentView
  talk: CommentContext
  around: string | undefined
  onMarkedShown: () => void
}

function Below({ comment, talk, around, onMarkedShown }: BelowProps) {
  const read = useInfiniteQuery(repliesQuery(comment.id, around))
  const replies = commentsIn(read.data?.pages ?? [])
  const there = around !== undefined && replies.some((it) => it.id === around)
  useEffect(() => {
    if (there) onMarkedShown()
    // Scrolls once; later pages must not scroll back to it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [there])
  if (read.isPending) return <CommentSkeleton many={1} />
  return (
    <>
      <LoadMore dense {...loadEarlier(read, words.earlierReplies)} />
      <ul>
        {replies.map((reply) => (
          <li key={reply.id}>
            <CommentItem comment={reply} talk={talk} />
          </li>
        ))}
      </ul>
      {hasFailed(read) && !(read.data && isAway(read.error)) && (
        <ReadFailed error={read.error} onRetry={() => void read.refetch()} />
      )}
      <LoadMore dense {...loadMore(read, words.moreReplies)} />
    </>
  )
}
