// HeldNote: why a post waits for a review, for its author.
import { Link } from '@tanstack/react-router'
import type { PostView } from '#contract/posts/posts.ts'
import { postText as words } from './text.ts'

export function HeldNote({ held }: { held: PostView['held'] }) {
  if (!held) return null
  return (
    <section
      aria-labelledby="held"
      className="mx-4 rounded-media border border-line bg-sunk px-4 py-3 rail:mx-6"
    >
      <h2 id="held" className="font-semibold">
        {words.heldTitle}
      </h2>
      <p className="pt-1">{words.held[held.reason](held.word)}</p>
      <p className="pt-1 text-sm text-soft">{words.heldNote}</p>
      <Link
        to="/settings/reports"
        search={{ show: 'holds' }}
        className="inline-flex min-h-11 items-center underline underline-offset-4"
      >
        {words.heldMore}
      </Link>
    </section>
  )
}
