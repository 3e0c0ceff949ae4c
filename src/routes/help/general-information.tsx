// /help/general-information: sending, files, drafts, being offline, installing.
import { createFileRoute } from '@tanstack/react-router'
import { generalHelp } from '#src/features/help/general-information.ts'
import { HelpPage } from '#src/features/help/help-page.tsx'

export const Route = createFileRoute('/help/general-information')({
  staticData: { access: 'open', layout: 'head-title', title: '基本の使い方' },
  component: Help,
})

function Help() {
  return <HelpPage text={generalHelp} path="/help/general-information" />
}
