// HeldNote: why a post waits for a review, for its author.
import { Link } from '@tanstack/react-router'
import type { HoldReason } from '#contract/moderation/hold-names.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { DeclareFilm } from './declare-film.tsx'
import { heldText as words } from './held-text.ts'

const titles: Partial<Record<HoldReason, string>> = {
  intimate: words.hiddenTitle,
  undeclared: words.undeclaredTitle,
}

export function HeldNote({ post: { id, held } }: { post: PostView }) {
  if (!held) return null
  return (
    <section
      aria-labelledby="held"
      className="mx-4 rounded-media border border-line bg-sunk px-4 py-3 rail:mx-6"
    >
      <h2 id="held" className="font-semibold">
        {titles[held.reason] ?? words.title}
      </h2>
      <p className="pt-1">{words.reasons[held.reason](held.word)}</p>
      {held.reason === 'undeclared' ? (
        <DeclareFilm postId={id} />
      ) : (
        <p className="pt-1 text-sm text-soft">{held.reason === 'intimate' ? words.hiddenNote : words.note}</p>
      )}
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
