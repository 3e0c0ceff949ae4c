// /admin/notice: the notices of the operator, for staff.
import { createFileRoute } from '@tanstack/react-router'
import { useCallback } from 'react'
import { NoticeList } from '#src/features/administration/notices/notice-list.tsx'
import { listQuery } from '#src/features/administration/notices/notices.ts'
import { loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { loadDesk, StaffGate } from '#src/routes/-staff.tsx'
import { Failed } from './-failed.tsx'

export const Route = createFileRoute('/admin/notice/')({
  // One file, since the first download names each.
  codeSplitGroupings: [['loader', 'component', 'errorComponent']],
  staticData: { access: 'staff', layout: 'head-title', title: 'お知らせの管理' },
  loader: async ({ context }) => {
    if (await loadDesk(context.queryClient, 'notices'))
      await context.queryClient.ensureInfiniteQueryData(listQuery('all'))
  },
  errorComponent: Failed,
  component: Gated,
})

function Gated() {
  return <StaffGate path="/admin/notice">{() => <Page />}</StaffGate>
}

function Page() {
  const navigate = Route.useNavigate()
  const add = useCallback(() => void navigate({ to: '/admin/notice/add' }), [navigate])
  return <NoticeList onAdd={add} failed={loadFailed} />
}
