// CommentItem: one comment or reply with its actions.
import { Link } from '@tanstack/react-router'
import { Ellipsis, Flag, Mail, Trash2 } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { CommentView, ShownComment } from '#contract/posts/comments.ts'
import { dateTime, relative } from '#src/lib/format.ts'
import { RichText } from '#src/domain/posts/rich-text.tsx'
import { useCommentLike } from '#src/domain/mutations/like.ts'
import { commentsText as words } from './text.ts'
import { peopleText } from '#src/domain/people/text.ts'
import { text } from '#src/domain/text/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Avatar } from '#src/ui/avatar.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { cx } from '#src/ui/cx.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { LikeButton } from '#src/ui/like-button.tsx'
import { Menu, type MenuItem } from '#src/ui/overlays/menu.tsx'
import { When } from '#src/ui/text/when.tsx'
import { useDelete } from './delete-comment.ts'
import type { ReplyTarget } from './comment-note.ts'

/** Properties shared by all comments of a post. */
export interface CommentContext {
  readonly viewerId: string | undefined
  readonly postAuthorId: string
  /** Id of the comment in the URL. */
  readonly marked: string | undefined
  /** Whether the URL opens the reply field. */
  readonly answering: boolean
  /** Undefined if comments cannot be written. */
  readonly onReply: ((to: ReplyTarget) => void) | undefined
  readonly onReport: ((comment: CommentView) => void) | undefined
}

export function CommentItem({ comment, talk: context }: { comment: CommentView; talk: CommentContext }) {
  const { body } = comment
  const [unfolded, setUnfolded] = useState(false)
  const marked = context.marked === comment.id
  return (
    <div
      id={`comment-${comment.id}`}
      // Focusable, so that keyboards and screen readers continue from the marked comment.
      tabIndex={-1}
      aria-current={marked || undefined}
      className={cx(
        'scroll-mt-20 px-4 pt-3 pb-1 outline-none rail:px-6',
        marked && 'border-l-3 border-ink bg-sunk pl-[13px] rail:pl-[21px]',
      )}
    >
      {body.is === 'deleted' && <p className="py-1.5 text-sm text-soft">{words.deleted}</p>}
      {body.is === 'shown' &&
        (body.muted && !unfolded && !marked ? (
          <p className="flex items-center justify-between gap-3 text-sm text-soft">
            {words.muted}
            <button type="button" onClick={() => setUnfolded(true)} className="min-h-11 px-2 font-semibold">
              {words.showMuted}
            </button>
          </p>
        ) : (
          <Shown comment={comment} body={body} talk={context} />
        ))}
    </div>
  )
}

interface ShownProps {
  comment: CommentView
  body: ShownComment
  talk: CommentContext
}

function Shown({ comment, body, talk }: ShownProps) {
  const { author } = body
  const person = { to: '/profile/$id', params: { id: author.id } } as const
  return (
    <div className="flex gap-3">
      <Link {...person} aria-hidden tabIndex={-1} className="shrink-0 self-start rounded-pill">
        <Avatar name={author.name} src={author.avatar_url} size={comment.parent_id === null ? 40 : 28} />
      </Link>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 text-sm">
          <Link {...person} dir="auto" className="min-w-0 truncate font-semibold hover:underline">
            {author.name}
          </Link>
          {author.id === talk.postAuthorId && <Badge>{words.author}</Badge>}
          <span className="shrink-0 text-soft">
            <When
              at={comment.created_at}
              format={(at, now) => relative(Date.parse(at), now)}
              whole={dateTime(Date.parse(comment.created_at))}
            />
          </span>
        </p>
        {body.answers && <p className="text-sm text-soft">{words.answers(body.answers.name)}</p>}
        <RichText text={body.content} mentions={body.mentions} className="text-base" />
        {body.held && <p className="pt-0.5 text-sm text-soft">{words.held[body.held]}</p>}
        <CommentActions comment={comment} body={body} talk={talk} />
      </div>
    </div>
  )
}

const actionClass =
  'inline-flex min-h-11 items-center gap-1.5 rounded-pill px-2.5 text-sm tabular-nums hover:bg-sunk'
const quiet = 'text-soft hover:text-ink'

function CommentActions({ comment, body, talk }: ShownProps) {
  const like = useCommentLike(comment.id, body)
  const thread = comment.parent_id ?? comment.id
  const reply = () => talk.onReply?.({ parentId: thread, answersId: comment.id, name: body.author.name })
  const isMarked = talk.answering && talk.marked === comment.id
  const answer = useEffectEvent(reply)
  useEffect(() => {
    if (isMarked) answer()
  }, [isMarked])
  return (
    <div className="-ml-2.5 flex items-center">
      {talk.viewerId !== undefined && !body.held && (
        <LikeButton {...like} size={18} className={actionClass} />
      )}
      {talk.onReply && !body.held && (
        <button type="button" onClick={reply} className={cx(actionClass, quiet)}>
          {words.reply}
        </button>
      )}
      <More comment={comment} author={body.author} talk={talk} own={body.author.id === talk.viewerId} />
    </div>
  )
}

interface MoreProps {
  comment: CommentView
  author: ShownComment['author']
  talk: CommentContext
  own: boolean
}

function More({ comment, author, talk, own }: MoreProps) {
  const [confirming, setConfirming] = useState(false)
  const [busy, setBusy] = useState(false)
  const remove = useDelete()
  const items: MenuItem[] = []
  if (talk.viewerId !== undefined && !own)
    items.push({
      is: 'link',
      label: peopleText.message,
      icon: <Mail size={20} />,
      render: <Link to="/chat-messages/$id" params={{ id: author.id }} search={{}} />,
    })
  if (talk.onReport && !own)
    items.push({
      is: 'action',
      label: words.report,
      icon: <Flag size={20} />,
      onSelect: () => talk.onReport?.(comment),
    })
  if (comment.deletable)
    items.push({
      is: 'action',
      label: words.remove,
      icon: <Trash2 size={20} />,
      danger: true,
      onSelect: () => setConfirming(true),
    })
  if (items.length === 0) return null
  return (
    <span className="ml-auto">
      <Menu
        trigger={
          <IconButton label={words.menu(author.name)} icon={<Ellipsis size={18} />} className="text-soft" />
        }
        items={items}
      />
      <AlertDialog
        open={confirming}
        onOpenChange={(open) => !busy && setConfirming(open)}
        title={words.removeTitle}
        description={words.removeText}
        cancel={text.cancel}
        action={{
          label: words.removeAct,
          danger: true,
          busy,
          onSelect: () => {
            setBusy(true)
            void remove(comment).finally(() => {
              setBusy(false)
              setConfirming(false)
            })
          },
        }}
      />
    </span>
  )
}
