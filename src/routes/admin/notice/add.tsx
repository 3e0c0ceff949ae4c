// /admin/notice/add: a new notice of the operator, for staff.
import { createFileRoute } from '@tanstack/react-router'
import { NoticeEditor } from '#src/features/administration/notices/notice-editor.tsx'
import { listQuery } from '#src/features/administration/notices/notices.ts'
import { NoticeArticle } from '#src/features/notify/notice.tsx'
import { loadDesk, StaffConfirmation, StaffGate } from '#src/routes/-staff.tsx'
import { Failed } from './-failed.tsx'

export const Route = createFileRoute('/admin/notice/add')({
  // One file, since the first download names each.
  codeSplitGroupings: [['loader', 'component', 'errorComponent']],
  staticData: { access: 'staff', layout: 'head-title', title: '新しいお知らせ' },
  loader: async ({ context }) => {
    if (await loadDesk(context.queryClient, 'notices'))
      await context.queryClient.ensureInfiniteQueryData(listQuery('all'))
  },
  errorComponent: Failed,
  component: Gated,
})

function Gated() {
  return <StaffGate path="/admin/notice/add">{() => <Page />}</StaffGate>
}

function Page() {
  const navigate = Route.useNavigate()
  return (
    <NoticeEditor
      notice={undefined}
      Article={NoticeArticle}
      Confirmation={StaffConfirmation}
      onGo={(id) =>
        id !== undefined && void navigate({ to: '/admin/notice/edit/$id', params: { id }, replace: true })
      }
    />
  )
}
