// /help/plan: who may see a post, and what that costs.
import { createFileRoute } from '@tanstack/react-router'
import { planHelp } from '#src/features/help/plan.ts'
import { HelpPage } from '#src/features/help/help-page.tsx'

export const Route = createFileRoute('/help/plan')({
  staticData: { access: 'open', layout: 'head-title', title: 'プランと有料の投稿のヘルプ' },
  component: Help,
})

function Help() {
  return <HelpPage text={planHelp} path="/help/plan" />
}
