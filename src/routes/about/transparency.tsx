// /about/transparency: numbers of reports, decisions and requests by quarter.
import { createFileRoute } from '@tanstack/react-router'
import { loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { TransparencyPage } from '#src/features/transparency/transparency-page.tsx'

export const Route = createFileRoute('/about/transparency')({
  codeSplitGroupings: [['component']],
  staticData: { access: 'open', layout: 'head-title', title: '透明性レポート' },
  component: Transparency,
})

function Transparency() {
  return <TransparencyPage failed={loadFailed} />
}
