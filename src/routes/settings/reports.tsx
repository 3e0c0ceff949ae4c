// /settings/reports: the person's reports with their results, and decisions about the person.
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import * as v from 'valibot'
import { decisionsText as words } from '#src/features/reports/decisions-text.ts'
import { OwnDecisions } from '#src/features/reports/own-decisions.tsx'
import { OwnHolds } from '#src/features/reports/own-holds.tsx'
import { ownHoldsText } from '#src/features/reports/own-holds-text.ts'
import { OwnReports, ownReportsQuery } from '#src/features/reports/own-reports.tsx'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { searchText } from '#src/lib/search-text.ts'
import { Tabs } from '#src/ui/tabs.tsx'

export const Route = createFileRoute('/settings/reports')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '通報と処分の履歴' },
  validateSearch: v.object({ show: searchText }),
  loader: ({ context }) => context.queryClient.ensureInfiniteQueryData(ownReportsQuery),
  pendingComponent: SettingsSkeleton,
  errorComponent: Failed,
  component: Reports,
})

const parts = ['reports', 'decisions', 'holds'] as const

function Reports() {
  const given = Route.useSearch().show
  const show = parts.find((it) => it === given) ?? 'reports'
  const navigate = Route.useNavigate()
  return (
    <Tabs<(typeof parts)[number]>
      label={words.label}
      value={show}
      onChange={(next) => void navigate({ search: { show: next }, replace: true })}
      tabs={[
        { value: 'reports', label: words.tabs.reports, panel: <OwnReports /> },
        { value: 'decisions', label: words.tabs.decisions, panel: <OwnDecisions failed={loadFailed} /> },
        { value: 'holds', label: ownHoldsText.tab, panel: <OwnHolds failed={loadFailed} /> },
      ]}
    />
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
