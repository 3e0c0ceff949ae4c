// /admin/notice: the notices of the operator, for staff.
import { createFileRoute, notFound } from '@tanstack/react-router'
import { useCallback } from 'react'
import { NoticeList } from '#src/features/administration/notices/notice-list.tsx'
import { listQuery } from '#src/features/administration/notices/notices.ts'
import { loadFailed } from '#src/features/shell/load-failure.tsx'
import { isMissing } from '#src/domain/api/api.ts'
import { Failed } from './-confirmation.tsx'

export const Route = createFileRoute('/admin/notice/')({
  // One file, since the first download names each.
  codeSplitGroupings: [['loader', 'component', 'errorComponent']],
  staticData: { access: 'staff', layout: 'head-title', title: 'お知らせの管理' },
  // The server decides who may write notices: for all other people there is no such page.
  loader: async ({ context }) => {
    try {
      await context.queryClient.ensureInfiniteQueryData(listQuery('all'))
    } catch (error) {
      if (isMissing(error)) throw notFound()
      throw error
    }
  },
  errorComponent: Failed,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  const add = useCallback(() => void navigate({ to: '/admin/notice/add' }), [navigate])
  return <NoticeList onAdd={add} failed={loadFailed} />
}
