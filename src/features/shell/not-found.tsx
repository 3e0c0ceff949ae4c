// NotFound: the page for addresses that lead nowhere, and for errors nobody else could show.
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { text } from '#src/domain/text/text.ts'

export function NotFound() {
  return (
    <EmptyState
      heading="h1"
      drawing="lost"
      title={text.notFound}
      text={text.notFoundHint}
      note={text.notFoundNote}
      act={
        // A whole load: after a root error nothing of this page can be relied on.
        <a href="/" className={buttonClass('ink')}>
          {text.home}
        </a>
      }
    />
  )
}
