// /appeal: the target of the link in an email about a decision.
import { createFileRoute, Link } from '@tanstack/react-router'
import { DecisionByLink } from '#src/features/reports/decision-by-link.tsx'
import { decisionsText as words } from '#src/features/reports/decisions-text.ts'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { text } from '#src/domain/text/text.ts'

export const Route = createFileRoute('/appeal')({
  codeSplitGroupings: [['component']],
  staticData: { access: 'open', layout: 'simple', title: '処分の内容' },
  component: Appeal,
})

/** The secret is in the fragment, which browsers send to no server. */
function Appeal() {
  const hash = new URLSearchParams(Route.useMatch({ select: () => window.location.hash.slice(1) }))
  const [decisionId, token] = [hash.get('decision'), hash.get('token')]
  return (
    <SimpleCard title={words.title} foot={<Link to="/">{text.home}</Link>}>
      {decisionId === null || token === null ? (
        <p>{words.linkInvalid}</p>
      ) : (
        <DecisionByLink decisionId={decisionId} token={token} failed={loadFailed} />
      )}
    </SimpleCard>
  )
}
