// /settings: the list of all settings.
import { createFileRoute } from '@tanstack/react-router'
import { IdCard } from 'lucide-react'
import { InstallRow } from '#src/features/install/install-row.tsx'
import { privacyQuery } from '#src/features/settings/settings.ts'
import { SettingsIndex } from '#src/features/settings/settings-index.tsx'
import { signOutDialog } from '#src/domain/session/sign-out.ts'
import { identityText } from '#src/domain/identity/text.ts'

const account = [
  { to: '/user/verification', title: identityText.rows.identity, icon: <IdCard aria-hidden size={20} /> },
] as const

export const Route = createFileRoute('/settings/')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'member', layout: 'head-title', title: '設定' },
  // The list is shown before the current values arrive.
  loader: ({ context }) => void context.queryClient.prefetchQuery(privacyQuery),
  component: Settings,
})

function Settings() {
  return <SettingsIndex account={account} display={<InstallRow />} onSignOut={signOutDialog.open} />
}
