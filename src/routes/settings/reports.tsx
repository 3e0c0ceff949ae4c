// /settings/reports: the person's reports with their state.
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { OwnReports, ownReportsQuery } from '#src/features/reports/own-reports.tsx'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/load-failure.tsx'

export const Route = createFileRoute('/settings/reports')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '通報の履歴' },
  loader: ({ context }) => context.queryClient.ensureInfiniteQueryData(ownReportsQuery),
  pendingComponent: SettingsSkeleton,
  errorComponent: Failed,
  component: OwnReports,
})

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
