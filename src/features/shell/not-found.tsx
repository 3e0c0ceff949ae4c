// NotFound: the page for unknown addresses and for errors without another page.
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
      action={
        // A page load: after a root error no state of this page is reliable.
        <a href="/" className={buttonClass('ink')}>
          {text.homeScreen}
        </a>
      }
    />
  )
}
