// Comments below a post, and the field for a new one.
import { useEffect, useEffectEvent, useState } from 'react'
import type { CommentView } from '#contract/posts/comments.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { CommentComposer } from '#src/features/comments/composer.tsx'
import { CommentSection } from '#src/features/comments/comment-section.tsx'
import type { ReplyTarget } from '#src/features/comments/comment-note.ts'
import type { Outbox } from '#src/features/comments/outbox.ts'
import { useOutbox } from '#src/features/comments/outbox.ts'
import { FootAction } from '#src/features/shell/head-action.tsx'
import { requestReport } from '#src/domain/people/moderation-dialog.ts'

/** A deleted comment cannot be reported. */
function reportComment({ id, body }: CommentView): void {
  if (body.is === 'shown') requestReport('comment', id, body.author)
}

interface DiscussionProps {
  post: PostView
  viewerId: string
  /** Id of the comment or reply in the URL. */
  marked: string | undefined
  /** The address ends in #comments: it shows them, with the field focused. */
  fromComments: boolean
  /** Whether the URL opens the reply field. */
  answering: boolean
  /** Renders the post's actions, which use the outbox. */
  children: (outbox: Outbox) => React.ReactNode
}

export function Discussion({ post, viewerId, marked, fromComments, answering, children }: DiscussionProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const onOpen = (id: string, open: boolean) =>
    setOpened((before) => new Set(open ? [...before, id] : [...before].filter((it) => it !== id)))
  const outbox = useOutbox({ postId: post.id, ownerId: viewerId, authorName: post.author.name }, (parentId) =>
    onOpen(parentId, true),
  )
  const write = useEffectEvent(() => {
    document.getElementById('comments')?.scrollIntoView({ behavior: 'instant' })
    outbox.write()
  })
  useEffect(() => {
    if (fromComments) write()
  }, [fromComments])
  const [answered, setAnswered] = useState<string>()
  const isClosed = post.comments_closed === true
  function reply(to: ReplyTarget) {
    setAnswered(marked)
    outbox.replyTo(to)
  }
  const talk = {
    viewerId,
    postAuthorId: post.author.id,
    marked,
    answering: answering && answered !== marked,
    onReply: isClosed ? undefined : reply,
    onReport: reportComment,
  }
  return (
    <>
      {children(outbox)}
      <CommentSection
        postId={post.id}
        count={post.counts.comments}
        talk={talk}
        isClosed={isClosed}
        outbox={outbox}
        opened={opened}
        onOpen={onOpen}
      />
      {outbox.open && !isClosed && (
        <FootAction>
          <CommentComposer outbox={outbox} />
        </FootAction>
      )}
    </>
  )
}
