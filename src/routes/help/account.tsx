// /help/account: registering, signing in, changing and leaving.
import { createFileRoute } from '@tanstack/react-router'
import { accountHelp } from '#src/features/help/account.ts'
import { HelpPage } from '#src/features/help/help-page.tsx'

export const Route = createFileRoute('/help/account')({
  staticData: { access: 'open', layout: 'head-title', title: 'アカウントのヘルプ' },
  component: Help,
})

function Help() {
  return <HelpPage text={accountHelp} path="/help/account" />
}
