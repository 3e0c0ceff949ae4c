// /settings/terms-of-service: the terms of service.
import { createFileRoute } from '@tanstack/react-router'
import { termsLead, termsOfService } from '#src/features/legal/terms-of-service.ts'
import { LegalPage } from '#src/features/legal/legal-page.tsx'
import { operatorQuery } from '#src/features/legal/operator.ts'

export const Route = createFileRoute('/settings/terms-of-service')({
  // The operator is loaded only with this page.
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'head-title', title: '利用規約' },
  loader: ({ context }) => context.queryClient.ensureQueryData(operatorQuery),
  component: Page,
})

function Page() {
  return <LegalPage contents lead={termsLead} sections={() => termsOfService} />
}
