// /settings/privacy-policy: the privacy policy.
import { createFileRoute } from '@tanstack/react-router'
import { privacyLead, privacyPolicy } from '#src/features/legal/privacy-policy.ts'
import { LegalPage } from '#src/features/legal/legal-page.tsx'
import { operatorQuery } from '#src/features/legal/operator.ts'

export const Route = createFileRoute('/settings/privacy-policy')({
  // The operator is loaded only with this page.
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'head-title', title: 'プライバシーポリシー' },
  loader: ({ context }) => context.queryClient.ensureQueryData(operatorQuery),
  component: Page,
})

function Page() {
  return <LegalPage contents lead={privacyLead} sections={privacyPolicy} />
}
