// /help/member: what others see, age limits, blocking.
import { createFileRoute } from '@tanstack/react-router'
import { memberHelp } from '#src/features/help/member.ts'
import { HelpPage } from '#src/features/help/help-page.tsx'

export const Route = createFileRoute('/help/member')({
  staticData: { access: 'open', layout: 'head-title', title: 'ユーザーとプライバシーのヘルプ' },
  component: Help,
})

function Help() {
  return <HelpPage text={memberHelp} path="/help/member" />
}
