// PostCard: one post of a feed; the whole card is a link to it.
import type { PostView } from '#contract/posts/posts.ts'
import { FeedVideo } from './media/feed-video.tsx'
import { Gate } from './gate.tsx'
import { ImageGrid } from './media/image-grid.tsx'
import { imagesOf } from './posts.ts'
import { OpenTexts } from './open-texts.tsx'
import { PostActions } from './post-actions.tsx'
import { PostHead } from './post-head.tsx'
import { PostText } from './post-text.tsx'

interface PostCardProps {
  post: PostView
  /** Whether its pictures are loaded at once, as one of the first in its list. */
  first: boolean
  /** Whether it is on the author's page, to which the gate then does not link. */
  onAuthorPage: boolean
}

export function PostCard({ post, first, onAuthorPage }: PostCardProps) {
  return (
    <article className="relative flex flex-col gap-3 border-b border-line pt-4 pb-1 transition-colors rail:pt-6 rail:pb-2">
      <PostHead post={post} opens />
      <OpenTexts post={post} />
      {post.access.is === 'full' && (
        <PostText
          key={post.access.content}
          postId={post.id}
          content={post.access.content}
          mentions={post.access.mentions}
          folds
        />
      )}
      <div className="rail:px-6">
        <div className="overflow-hidden empty:hidden rail:rounded-media">
          <CardMedia post={post} first={first} onAuthorPage={onAuthorPage} />
        </div>
      </div>
      <PostActions post={post} />
    </article>
  )
}

/** What a feed shows of a post's media, or in their place. */
export function CardMedia({ post, first, onAuthorPage }: PostCardProps) {
  if (post.access.is === 'preview') {
    return <Gate postId={post.id} access={post.access} author={post.author} withAuthor={!onAuthorPage} />
  }
  const images = imagesOf(post.access.media)
  const video = post.access.media.find((it) => it.kind === 'video')
  if (video) {
    return (
      <div className="relative z-1">
        <FeedVideo video={video} />
      </div>
    )
  }
  return <ImageGrid images={images} postId={post.id} eager={first} />
}
