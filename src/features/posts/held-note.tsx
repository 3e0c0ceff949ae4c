// HeldNote: why a post waits for a review, for its author.
import { Link } from '@tanstack/react-router'
import type { PostView } from '#contract/posts/posts.ts'
import { heldText as words } from './held-text.ts'

export function HeldNote({ held }: { held: PostView['held'] }) {
  if (!held) return null
  const isRequested = held.reason === 'intimate'
  return (
    <section
      aria-labelledby="held"
      className="mx-4 rounded-media border border-line bg-sunk px-4 py-3 rail:mx-6"
    >
      <h2 id="held" className="font-semibold">
        {isRequested ? words.hiddenTitle : words.title}
      </h2>
      <p className="pt-1">{words.reasons[held.reason](held.word)}</p>
      <p className="pt-1 text-sm text-soft">{isRequested ? words.hiddenNote : words.note}</p>
      <Link
        to="/settings/reports"
        search={{ show: 'holds' }}
        className="inline-flex min-h-11 items-center underline underline-offset-4"
      >
        {words.more}
      </Link>
    </section>
  )
}
