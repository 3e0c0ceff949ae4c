// /settings/blocklist_bk: whom one has blocked.
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { BlockList } from '#src/features/settings/block-list.tsx'
import { blocksQuery } from '#src/features/settings/settings.ts'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/load-failure.tsx'

export const Route = createFileRoute('/settings/blocklist_bk')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: 'ブロックした人' },
  loader: ({ context }) => context.queryClient.ensureInfiniteQueryData(blocksQuery),
  pendingComponent: SettingsSkeleton,
  errorComponent: Failed,
  component: BlockList,
})

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
