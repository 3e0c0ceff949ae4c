// /post/{id}: one post with its comments.
// ?uidc= marks a comment, ?uidr= a reply below it, and &reply=1 opens the reply field.
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useLocation, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useRef } from 'react'
import * as v from 'valibot'
import type { Enlarged } from '#src/features/posts/media/carousel.tsx'
import { PostNotFound } from '#src/features/posts/post-not-found.tsx'
import { PostMenu } from '#src/features/posts/post-menu.tsx'
import { PostPage } from '#src/features/posts/post-page.tsx'
import { PostSkeleton } from '#src/features/posts/post-skeleton.tsx'
import { isReadOnly, postQuery } from '#src/features/posts/posts.ts'
import { HeadAction } from '#src/features/shell/head-action.tsx'
import { OlderNote } from '#src/features/shell/older-note.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { useAuthorActions } from '#src/features/profiles/author-actions.tsx'
import { requestReport } from '#src/domain/people/moderation-dialog.ts'
import { isMissing } from '#src/domain/api/api.ts'
import { seedPost } from '#src/domain/posts/from-lists.ts'
import { useViewer } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import { useLivePost } from '#src/features/posts/use-live-post.ts'
import { Opening } from '#src/ui/later.tsx'
import { Discussion } from './-discussion.tsx'
import { searchId } from '#src/lib/search-text.ts'

const search = v.object({
  uidc: searchId,
  uidr: searchId,
  /** 返信 on a notification opens the reply field of the marked comment. */
  reply: v.optional(v.fallback(v.optional(v.literal(1)), undefined)),
  /** Which image fills the screen, from 1. */
  photo: v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))), undefined)),
})

export const Route = createFileRoute('/post/$id')({
  // Visitors never need the code for reading posts.
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: text.nav.publish },
  validateSearch: search,
  loader: async ({ context, params }) => {
    await seedPost(params.id)
    await context.queryClient.ensureQueryData(postQuery(params.id))
  },
  pendingComponent: () => <PostSkeleton />,
  errorComponent: Failed,
  component: () => (
    <Opening meanwhile={<PostSkeleton />}>
      <Post />
    </Opening>
  ),
})

function Post() {
  const { id } = Route.useParams()
  const { uidc, uidr, reply } = Route.useSearch()
  const hash = useLocation({ select: (it) => it.hash })
  const enlarged = useEnlarged()
  const reading = useSuspenseQuery(postQuery(id))
  const post = reading.data
  const viewer = useViewer()
  const router = useRouter()
  const actions = useAuthorActions(post.author)
  const me = viewer.is === 'authenticated' ? viewer.user.id : undefined
  const menu = (
    <>
      <OlderNote reading={reading} />
      <HeadAction>
        <PostMenu
          key={id}
          post={post}
          own={post.author.id === me}
          more={actions}
          onReport={() => requestReport('post', post.id, post.author)}
          onDeleted={() => void router.navigate({ to: '/' })}
        />
      </HeadAction>
    </>
  )
  // A previewed post's comments are closed, and those between blocked people; before its release a post has none.
  const closed = post.access.is === 'preview' || post.released_at === null || isReadOnly(post)
  useLivePost(id, !closed)
  if (me === undefined || closed) {
    return (
      <>
        {menu}
        <PostPage id={id} enlarged={enlarged} onComments={() => undefined} />
      </>
    )
  }
  return (
    <>
      {menu}
      <Discussion
        key={`${id} ${me}`}
        post={post}
        viewerId={me}
        marked={uidr ?? uidc}
        fromComments={hash === 'comments'}
        answering={reply === 1}
      >
        {(outbox) => <PostPage id={id} enlarged={enlarged} onComments={outbox.write} />}
      </Discussion>
    </>
  )
}

/** The enlarged image. One that was opened here is closed by going back, one of the first URL by replacing it. */
function useEnlarged(): Enlarged {
  const { photo } = Route.useSearch()
  const navigate = Route.useNavigate()
  const router = useRouter()
  const opened = useRef(false)
  return {
    at: photo === undefined ? undefined : photo - 1,
    onOpen(at) {
      opened.current = true
      void navigate({ search: (before) => ({ ...before, photo: at + 1 }), resetScroll: false })
    },
    onClose() {
      if (opened.current) router.history.back()
      else
        void navigate({
          search: (before) => ({ ...before, photo: undefined }),
          replace: true,
          resetScroll: false,
        })
      opened.current = false
    },
  }
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  // The post was shown before a block or a deletion.
  if (isMissing(error)) return <PostNotFound />
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
