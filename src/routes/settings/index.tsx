// /settings: where everything can be set.
import { createFileRoute, useRouter } from '@tanstack/react-router'
import { IdCard } from 'lucide-react'
import { privacyQuery } from '#src/features/settings/settings.ts'
import { SettingsIndex } from '#src/features/settings/settings-index.tsx'
import { text } from '#src/lib/text.ts'
import { identityText } from '#src/lib/text-identity.ts'
import { toast } from '#src/ui/toast.ts'

const account = [
  { to: '/user/verification', title: identityText.rows.identity, icon: <IdCard aria-hidden size={20} /> },
] as const

export const Route = createFileRoute('/settings/')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'member', layout: 'head-title', title: '設定' },
  // The list stands without what is set now; that follows.
  loader: ({ context }) => void context.queryClient.prefetchQuery(privacyQuery),
  component: Settings,
})

function Settings() {
  const { viewer } = Route.useRouteContext()
  const router = useRouter()
  async function signOut() {
    await viewer.signOut()
    await router.navigate({ to: '/login' })
    toast(text.nav.signedOut)
  }
  return <SettingsIndex account={account} onSignOut={() => void signOut()} />
}
