// /settings/commercial-transactions-act: the legal notice about sales.
import { createFileRoute } from '@tanstack/react-router'
import { commerceLead, commerceSections } from '#src/features/legal/commercial-transactions-act.ts'
import { LegalPage } from '#src/features/legal/legal-page.tsx'
import { operatorQuery } from '#src/features/legal/operator.ts'

export const Route = createFileRoute('/settings/commercial-transactions-act')({
  // The operator is loaded only with this page.
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'head-title', title: '特定商取引法に基づく表記' },
  loader: ({ context }) => context.queryClient.ensureQueryData(operatorQuery),
  component: Page,
})

function Page() {
  return <LegalPage lead={() => commerceLead} sections={commerceSections} />
}
