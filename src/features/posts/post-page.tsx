// PostPage: one post in full.
import { useSuspenseQuery } from '@tanstack/react-query'
import type { PostView } from '#contract/posts.ts'
import { Carousel } from './carousel.tsx'
import { Gate } from './gate.tsx'
import { Player } from './player.tsx'
import { PostHead } from './post-head.tsx'
import { PostText } from './post-text.tsx'
import { imagesOf, postQuery } from './posts.ts'

export function PostPage({ id }: { id: string }) {
  const { data: post } = useSuspenseQuery(postQuery(id))
  return (
    <article className="flex flex-col gap-4 py-4 rail:py-6">
      <PostHead post={post} opens={false} />
      <Media post={post} />
      {post.access.is === 'full' && <PostText content={post.access.content} folds={false} />}
    </article>
  )
}

function Media({ post }: { post: PostView }) {
  if (post.access.is === 'preview') return <Gate access={post.access} author={post.author} withAuthor />
  const images = imagesOf(post.access.media)
  const video = post.access.media.find((it) => it.kind === 'video')
  if (video) return <Player video={video} />
  return images.length > 0 && <Carousel images={images} />
}
