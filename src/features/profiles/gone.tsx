// Gone: somebody who is not there, or not there for this viewer; both look alike.
import { Link } from '@tanstack/react-router'
import { text } from '#src/lib/text.ts'
import { peopleText as words } from '#src/lib/text-people.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'

export function Gone() {
  return (
    <EmptyState
      drawing="lost"
      heading="h1"
      title={words.gone}
      text={words.goneText}
      act={
        <Link to="/" className={buttonClass('quiet')}>
          {text.home}
        </Link>
      }
    />
  )
}
