// OpenTexts: the title of a post, and its introduction.
import type { PostView } from '#contract/posts/posts.ts'
import { RichText } from '#src/domain/posts/rich-text.tsx'

export function OpenTexts({ post: { title, introduction } }: { post: PostView }) {
  if (title === undefined && introduction === undefined) return null
  return (
    <div className="flex flex-col gap-1 px-4 rail:px-6 [&_a]:relative [&_a]:z-1">
      {title !== undefined && <RichText text={title} className="text-lg font-semibold" />}
      {introduction !== undefined && <RichText text={introduction} />}
    </div>
  )
}
