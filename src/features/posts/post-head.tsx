// PostHead: the author, time and audience of a post.
import { Link } from '@tanstack/react-router'
import type { PostView } from '#contract/posts/posts.ts'
import { dateTime, relative } from '#src/lib/format.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { When } from '#src/ui/text/when.tsx'
import { text } from '#src/domain/text/text.ts'

const types: Record<PostView['type'], string | undefined> = {
  1: undefined,
  2: text.gate.plan,
  3: text.gate.paid,
}

/** With `opens`, the time is a link to the post that covers the card. */
export function PostHead({ post, opens }: { post: PostView; opens: boolean }) {
  const at = post.released_at ?? post.created_at
  const type = types[post.type]
  const moment = (
    <When
      at={at}
      format={(it, now) => (opens ? relative(Date.parse(it), now) : dateTime(Date.parse(it)))}
      whole={dateTime(Date.parse(at))}
    />
  )
  return (
    <header className="flex items-center gap-3 px-4 rail:px-6">
      <Link
        to="/profile/$id"
        params={{ id: post.author.id }}
        className="relative z-1 -m-0.5 shrink-0 rounded-pill p-0.5"
        aria-hidden
        tabIndex={-1}
      >
        <Avatar name={post.author.name} src={post.author.avatar_url} />
      </Link>
      <div className="min-w-0 flex-1">
        <Link
          to="/profile/$id"
          params={{ id: post.author.id }}
          dir="auto"
          className="relative z-1 block min-h-6 w-fit max-w-full min-w-6 truncate font-semibold hover:underline"
        >
          {post.author.name}
        </Link>
        <p className="text-sm text-soft">
          {opens ? (
            <Link
              to="/post/$id"
              params={{ id: post.id }}
              className="inline-flex min-h-6 items-center after:absolute after:inset-0"
            >
              <span className="sr-only">{text.posts.open}、</span>
              {moment}
            </Link>
          ) : (
            moment
          )}
        </p>
      </div>
      <p className="flex flex-wrap justify-end gap-1">
        {post.released_at === null && <Badge look="care">{text.posts.unreleased}</Badge>}
        {type && <Badge>{type}</Badge>}
        {post.is_age_limited && <Badge>{text.posts.ageLimited}</Badge>}
      </p>
    </header>
  )
}
