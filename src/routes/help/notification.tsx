// /help/notification: choosing notices, and why one may not arrive.
import { createFileRoute } from '@tanstack/react-router'
import { notificationHelp } from '#src/features/help/notification.ts'
import { HelpPage } from '#src/features/help/help-page.tsx'

export const Route = createFileRoute('/help/notification')({
  staticData: { access: 'open', layout: 'head-title', title: '通知のヘルプ' },
  component: Help,
})

function Help() {
  return <HelpPage text={notificationHelp} path="/help/notification" />
}
