// /contact: messages to the operator and claims about content, and what became of them.
import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { ContactPage } from '#src/features/contact/contact-page.tsx'
import { loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { linkSecret } from '#src/domain/session/link-secret.ts'
import { searchText } from '#src/lib/search-text.ts'

export const Route = createFileRoute('/contact')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: {
    access: 'open',
    layout: 'head-title',
    title: 'お問い合わせ・申立て',
    secret: 'todoke.contact',
  },
  validateSearch: v.object({ kind: searchText, request: searchText, opinion: searchText }),
  loaderDeps: ({ search }) => search,
  loader: ({ location }) => linkSecret('todoke.contact', location).read()?.['token'] ?? null,
  component: Contact,
})

function Contact() {
  const { kind, request, opinion } = Route.useSearch()
  const token = Route.useLoaderData()
  const navigate = Route.useNavigate()
  return (
    <ContactPage
      kind={kind}
      request={request}
      opinion={opinion}
      token={token}
      onKind={(next) => void navigate({ search: { kind: next }, replace: true })}
      failed={loadFailed}
    />
  )
}
