// NotFound: the page for unknown addresses and for errors without another page.
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { useViewer } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'

/** The login page, which leads back to this address: pages of staff and many others need a session. */
const signInFor = ({ pathname, search }: Location) =>
  `/login?${new URLSearchParams({ to: pathname + search })}`

export function NotFound() {
  const isVisitor = useViewer().is === 'unauthenticated'
  return (
    <EmptyState
      heading="h1"
      drawing="lost"
      title={text.notFound}
      text={text.notFoundHint}
      note={text.notFoundNote}
      action={
        // Page loads: after a root error no state of this page is reliable.
        <div className="flex flex-wrap justify-center gap-2">
          <a href="/" className={buttonClass('ink')}>
            {text.homeScreen}
          </a>
          {isVisitor && (
            <a href={signInFor(location)} className={buttonClass('quiet')}>
              {text.nav.signIn}
            </a>
          )}
        </div>
      }
    />
  )
}
