// PostPage: one post in full.
import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { PostView } from '#contract/posts/posts.ts'
import { dateTime } from '#src/lib/format.ts'
import { lastDay } from '#src/domain/plans/text.ts'
import { postText as words } from './text.ts'
import { Carousel, type Enlarged } from './media/carousel.tsx'
import { Gate } from './gate.tsx'
import { Player } from './media/player.tsx'
import { HeldNote } from './held-note.tsx'
import { OpenTexts } from './open-texts.tsx'
import { PostActions } from './post-actions.tsx'
import { PostHead } from './post-head.tsx'
import { PostText } from './post-text.tsx'
import { imagesOf, postQuery } from './posts.ts'
import { useReadingReport } from './reading-report.ts'

// Loaded for edited posts alone.
const BoughtVersion = lazy(async () => ({ default: (await import('./bought-version.tsx')).BoughtVersion }))

interface PostPageProps {
  id: string
  enlarged: Enlarged
  onComments: () => void
}

export function PostPage({ id, enlarged, onComments }: PostPageProps) {
  const { data: post } = useSuspenseQuery(postQuery(id))
  const onWatched = useReadingReport(post)
  return (
    <article className="flex flex-col gap-4 pt-4 pb-1 rail:pt-6">
      <HeldNote post={post} />
      <PostHead post={post} opens={false} />
      <OpenTexts post={post} />
      <Media post={post} enlarged={enlarged} onWatched={onWatched} />
      {post.access.is === 'full' && (
        <PostText
          postId={post.id}
          content={post.access.content}
          mentions={post.access.mentions}
          folds={false}
        />
      )}
      {post.edited_at !== null && (
        <p className="-mt-2 px-4 text-sm text-soft rail:px-6">
          {words.editedAt(dateTime(Date.parse(post.edited_at)))}
        </p>
      )}
      <ReadOnlyNote post={post} />
      {post.edited_at !== null && post.access.is === 'full' && post.access.opens_with === undefined && (
        <Suspense>
          <BoughtVersion postId={post.id} />
        </Suspense>
      )}
      <PostActions post={post} onComments={onComments} />
    </article>
  )
}

/** Why a bought post has no actions, and until when it can be read. */
function ReadOnlyNote({ post: { access } }: { post: PostView }) {
  if (access.is !== 'full' || !access.read_only) return null
  const last = access.until === undefined ? undefined : lastDay(access.until)
  return <p className="px-4 text-sm text-soft rail:px-6">{words.readOnly(last)}</p>
}

interface MediaProps {
  post: PostView
  enlarged: Enlarged
  onWatched: () => void
}

function Media({ post, enlarged, onWatched }: MediaProps) {
  if (post.access.is === 'preview')
    return <Gate postId={post.id} access={post.access} author={post.author} withAuthor />
  const images = imagesOf(post.access.media)
  const video = post.access.media.find((it) => it.kind === 'video')
  if (video) return <Player video={video} hasMenu onWatched={onWatched} />
  return images.length > 0 && <Carousel images={images} enlarged={enlarged} />
}
