// PostActions: the row of acts below a post, with how many have done them.
import { Link } from '@tanstack/react-router'
import { Clock, Heart, MessageCircle, Share } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PostView } from '#contract/posts/posts.ts'
import { number } from '#src/lib/format.ts'
import { mutationsText } from '#src/domain/mutations/text.ts'
import { postText as words } from './text.ts'
import { cx } from '#src/ui/cx.ts'
import { useLike } from './likes.ts'
import { share } from './share.ts'

interface PostActionsProps {
  post: PostView
  /** On the post's own page the comments stand below, and are where this leads. */
  onComments?: (() => void) | undefined
}

const act =
  'inline-flex min-h-11 min-w-11 items-center gap-1.5 rounded-pill px-2.5 text-sm tabular-nums transition-colors hover:bg-sunk'
const quiet = 'text-soft hover:text-ink'

/** What one sees a preview of can be shared, and nothing else. A post that waits for its release has nobody to do these. */
export function PostActions({ post, onComments }: PostActionsProps) {
  if (post.released_at === null) return null
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
        className={cx(act, quiet, 'ml-auto justify-center')}
      >
        <Share aria-hidden size={20} />
      </button>
    </div>
  )
}

function Like({ post }: { post: PostView }) {
  const { on, waits, likes, set } = useLike(post)
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={likes > 0 ? words.likeCount(likes) : words.like}
      title={waits ? mutationsText.waits[waits] : words.like}
      onClick={() => set(!on)}
      className={cx(act, on ? 'text-seal-text' : quiet)}
    >
      <Heart aria-hidden size={20} fill={on ? 'currentColor' : 'none'} />
      {likes > 0 && <span aria-hidden>{number(likes)}</span>}
      {waits && <Clock aria-label={mutationsText.waits[waits]} size={14} />}
    </button>
  )
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
      <button type="button" aria-label={label} title={label} onClick={onComments} className={cx(act, quiet)}>
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
      className={cx(act, quiet)}
    >
      {inside}
    </Link>
  )
}
