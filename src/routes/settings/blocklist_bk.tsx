// /settings/blocklist_bk: blocked and muted people.
import { createFileRoute, useNavigate, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import * as v from 'valibot'
import { HiddenPeople } from '#src/features/settings/block-list.tsx'
import { blocksQuery, mutesQuery } from '#src/features/settings/settings.ts'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { searchText } from '#src/lib/search-text.ts'

export const Route = createFileRoute('/settings/blocklist_bk')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: 'ブロックとミュート' },
  validateSearch: v.object({ tab: searchText }),
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.ensureInfiniteQueryData(blocksQuery),
      queryClient.ensureInfiniteQueryData(mutesQuery),
    ]),
  pendingComponent: SettingsSkeleton,
  errorComponent: Failed,
  component: Hidden,
})

const tabs = ['blocks', 'mutes', 'words'] as const

function Hidden() {
  const given = Route.useSearch().tab
  const tab = tabs.find((it) => it === given) ?? 'blocks'
  const navigate = useNavigate()
  return (
    <HiddenPeople
      tab={tab}
      failed={loadFailed}
      onChange={(next) =>
        void navigate({
          to: '/settings/blocklist_bk',
          search: next === 'blocks' ? {} : { tab: next },
          replace: true,
        })
      }
    />
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
