// /appeal: the target of the link in an email about a decision.
import { createFileRoute, Link } from '@tanstack/react-router'
import { DecisionByLink } from '#src/features/reports/decision-by-link.tsx'
import { decisionsText as words } from '#src/features/reports/decisions-text.ts'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { linkSecret } from '#src/domain/session/link-secret.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { text } from '#src/domain/text/text.ts'

export const Route = createFileRoute('/appeal/')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'simple', title: '処分の内容', secret: 'todoke.appeal' },
  loader: ({ location }) => ({
    decisionId: new URLSearchParams(location.hash).get('decision'),
    token: linkSecret('todoke.appeal', location).read()?.['token'],
  }),
  component: Appeal,
})

function Appeal() {
  const { decisionId, token } = Route.useLoaderData()
  return (
    <SimpleCard title={words.title} foot={<Link to="/">{text.home}</Link>}>
      {decisionId === null || token === undefined ? (
        <p>{words.linkInvalid}</p>
      ) : (
        <DecisionByLink
          key={decisionId}
          decisionId={decisionId}
          token={token}
          failed={loadFailed}
          records={
            <Link to="/appeal/purchases" hash={`decision=${decisionId}`} className={buttonClass('quiet')}>
              {words.records}
            </Link>
          }
        />
      )}
    </SimpleCard>
  )
}
