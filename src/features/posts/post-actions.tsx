// PostActions: the actions below a post, with their counts.
import { Link } from '@tanstack/react-router'
import { MessageCircle, Share } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PostView } from '#contract/posts/posts.ts'
import { number } from '#src/lib/format.ts'
import { usePostLike } from '#src/domain/mutations/like.ts'
import { postText as words } from './text.ts'
import { cx } from '#src/ui/cx.ts'
import { LikeButton } from '#src/ui/like-button.tsx'
import { isReadOnly } from './posts.ts'
import { share } from './share.ts'

interface PostActionsProps {
  post: PostView
  /** Scrolls to the comments, on the post's own page. */
  onComments?: (() => void) | undefined
}

const actionClass =
  'inline-flex min-h-11 min-w-11 items-center gap-1.5 rounded-pill px-2.5 text-sm tabular-nums transition-colors hover:bg-sunk'
const quiet = 'text-soft hover:text-ink'

/** A previewed post can only be shared; an unreleased one, and one that its buyer may only read, have no actions. */
export function PostActions({ post, onComments }: PostActionsProps) {
  if (post.released_at === null || isReadOnly(post)) return null
  return (
    <div className="relative z-1 flex items-center gap-1 px-1.5 rail:px-3.5">
      {post.access.is === 'full' && (
        <>
          <Like post={post} />
          <Comments post={post} onComments={onComments} />
        </>
      )}
      <button
        type="button"
        aria-label={words.share}
        title={words.share}
        onClick={() => void share(post.id, post.author.name)}
        className={cx(actionClass, quiet, 'ml-auto justify-center')}
      >
        <Share aria-hidden size={20} />
      </button>
    </div>
  )
}

function Like({ post }: { post: PostView }) {
  return <LikeButton {...usePostLike(post)} size={20} className={actionClass} />
}

function Comments({ post, onComments }: PostActionsProps) {
  const { comments } = post.counts
  const inside: ReactNode = (
    <>
      <MessageCircle aria-hidden size={20} />
      {comments > 0 && <span aria-hidden>{number(comments)}</span>}
    </>
  )
  const label = words.comments(comments)
  if (onComments) {
    return (
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={onComments}
        className={cx(actionClass, quiet)}
      >
        {inside}
      </button>
    )
  }
  return (
    <Link
      to="/post/$id"
      params={{ id: post.id }}
      hash="comments"
      aria-label={label}
      className={cx(actionClass, quiet)}
    >
      {inside}
    </Link>
  )
}
