// CommentSection: the comments below a post, newest first.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import type { CommentView } from '#contract/posts/comments.ts'
import { hasFailed, loadEarlier, loadMore } from '#src/domain/queries/load-more.ts'
import { isAway } from '#src/domain/offline/cached-reads.ts'
import { commentsText as words } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { cx } from '#src/ui/cx.ts'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { RetryNote } from '#src/ui/states/retry-note.tsx'
import { CommentItem, type CommentContext } from './comment-item.tsx'
import { ReadFailed } from './read-failed.tsx'
import type { Outbox } from './outbox.ts'
import { commentsIn, isLost, threadsQuery } from './reading.ts'
import { Replies } from './replies.tsx'
import { CommentSkeleton } from './skeleton.tsx'
import { Unsent } from './unsent.tsx'

interface CommentSectionProps {
  postId: string
  /** The number of comments of the post. */
  count: number
  talk: CommentContext
  /** Whether the post's author accepts no further comments. */
  isClosed: boolean
  outbox: Outbox
  /** Comments whose replies are open. */
  opened: ReadonlySet<string>
  onOpen: (commentId: string, open: boolean) => void
}

export function CommentSection(props: CommentSectionProps) {
  const { postId, count, talk, isClosed, outbox } = props
  const read = useInfiniteQuery(threadsQuery(postId, talk.marked))
  const threads = commentsIn(read.data?.pages ?? [])
  return (
    <section
      id="comments"
      aria-labelledby="comments-title"
      className="scroll-mt-(--head) border-t border-line pb-4"
    >
      <h2 id="comments-title" className="flex items-baseline gap-2 px-4 pt-4 pb-1 font-semibold rail:px-6">
        {words.title}
        <span className="text-sm font-normal text-soft tabular-nums">{words.count(count)}</span>
      </h2>
      {read.data && isLost(read.data.pages) && (
        <output className="mx-4 mt-2 block rounded-field bg-sunk px-4 py-3 text-sm rail:mx-6">
          {words.notThere}
        </output>
      )}
      {isClosed ? (
        <p className="mx-4 my-1.5 rounded-field bg-sunk px-4 py-3 text-sm text-soft rail:mx-6">
          {words.stopped}
        </p>
      ) : (
        <WriteRow hidden={outbox.open} onPress={outbox.write} />
      )}
      <Unsent outbox={outbox} />
      <LoadMore dense {...loadEarlier(read, words.newer)} />
      {read.isPending && <CommentSkeleton />}
      <Threads
        {...props}
        threads={threads}
        thread={read.data?.pages.find((it) => it.thread)?.thread ?? undefined}
      />
      {read.data && threads.length === 0 && outbox.waiting.length === 0 && !isClosed && <None />}
      {read.isError && !read.data && isAway(read.error) && (
        <RetryNote label={text.retry} busyLabel={text.loading} onRetry={() => read.refetch()}>
          {words.later}
        </RetryNote>
      )}
      {hasFailed(read) && !isAway(read.error) && (
        <ReadFailed error={read.error} onRetry={() => void read.refetch()} />
      )}
      <LoadMore dense {...loadMore(read, words.more)} />
    </section>
  )
}

/** A button that looks like the field and opens the composer. */
function WriteRow({ hidden, onPress }: { hidden: boolean; onPress: () => void }) {
  return (
    // Invisible while the composer is open, but with its height, so that nothing moves.
    <div className={cx('px-4 py-1.5 rail:px-6', hidden && 'invisible')}>
      <button
        type="button"
        onClick={onPress}
        className="min-h-11 w-full rounded-[22px] border border-edge bg-raised px-4 text-left text-soft hover:border-ink"
      >
        {words.write}
      </button>
    </div>
  )
}

function None() {
  return (
    <div className="px-4 py-8 text-center">
      <p className="font-semibold">{words.none}</p>
      <p className="mt-1 text-sm text-soft">{words.noneHint}</p>
    </div>
  )
}

interface ThreadsProps extends CommentSectionProps {
  threads: readonly CommentView[]
  /** The comment in the URL, or the parent of the reply there. */
  thread: string | undefined
}

function Threads({ threads, thread, talk, opened, onOpen }: ThreadsProps) {
  const show = useShowMarked(talk.marked)
  const isThreadMarked = thread !== undefined && thread === talk.marked
  const [unfolded, setUnfolded] = useState<string>()
  // A reply in the URL unfolds its thread once; folding it again closes it.
  if (thread !== undefined && !isThreadMarked && unfolded !== talk.marked) {
    setUnfolded(talk.marked)
    onOpen(thread, true)
  }
  useEffect(() => {
    if (isThreadMarked) show()
  }, [isThreadMarked, show])
  return (
    <ul>
      {threads.map((comment) => (
        <li key={comment.id} className="border-b border-line pb-1 last:border-b-0">
          <CommentItem comment={comment} talk={talk} />
          <Replies
            comment={comment}
            talk={talk}
            open={opened.has(comment.id)}
            holdsMarked={comment.id === thread && !isThreadMarked}
            onOpenChange={(open) => onOpen(comment.id, open)}
            onMarkedShown={show}
          />
        </li>
      ))}
    </ul>
  )
}

/** Scrolls to the marked comment and focuses it. */
function useShowMarked(marked: string | undefined): () => void {
  return useCallback(() => {
    const element = document.getElementById(`comment-${marked}`)
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'center' })
  }, [marked])
}
