// /about/transparency: numbers of reports, decisions and requests by quarter.
import { createFileRoute, type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/load-failure.tsx'
import { TransparencyPage, transparencyQuery } from '#src/features/transparency/transparency-page.tsx'

export const Route = createFileRoute('/about/transparency')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'open', layout: 'head-title', title: '透明性レポート' },
  loader: ({ context }) => context.queryClient.ensureQueryData(transparencyQuery),
  pendingComponent: SettingsSkeleton,
  errorComponent: Failed,
  component: TransparencyPage,
})

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
