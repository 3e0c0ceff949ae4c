// /contact: messages to the operator and claims about content, and what became of them.
import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { ContactPage } from '#src/features/contact/contact-page.tsx'
import { loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { searchText } from '#src/lib/search-text.ts'

export const Route = createFileRoute('/contact')({
  codeSplitGroupings: [['component']],
  staticData: { access: 'open', layout: 'head-title', title: 'お問い合わせ・申立て' },
  validateSearch: v.object({ kind: searchText, request: searchText, opinion: searchText }),
  component: Contact,
})

/** The secret of a link is in the fragment, which browsers send to no server. */
function Contact() {
  const { kind, request, opinion } = Route.useSearch()
  const hash = new URLSearchParams(Route.useMatch({ select: () => window.location.hash.slice(1) }))
  const navigate = Route.useNavigate()
  return (
    <ContactPage
      kind={kind}
      request={request}
      opinion={opinion}
      token={hash.get('token')}
      onKind={(next) => void navigate({ search: { kind: next }, replace: true })}
      failed={loadFailed}
    />
  )
}
