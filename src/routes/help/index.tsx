// /help: what there is help about.
import { createFileRoute } from '@tanstack/react-router'
import { HelpIndex } from '#src/features/help/help-index.tsx'

export const Route = createFileRoute('/help/')({
  staticData: { access: 'open', layout: 'head-title', title: 'ヘルプ' },
  component: HelpIndex,
})
