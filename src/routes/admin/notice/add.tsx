// /admin/notice/add: a new notice of the operator, for staff.
import { createFileRoute, notFound } from '@tanstack/react-router'
import { NoticeEditor } from '#src/features/administration/notices/notice-editor.tsx'
import { listQuery } from '#src/features/administration/notices/notices.ts'
import { NoticeArticle } from '#src/features/notify/notice.tsx'
import { isMissing } from '#src/domain/api/api.ts'
import { Confirmation, Failed } from './-confirmation.tsx'

export const Route = createFileRoute('/admin/notice/add')({
  // One file, since the first download names each.
  codeSplitGroupings: [['loader', 'component', 'errorComponent']],
  staticData: { access: 'staff', layout: 'head-title', title: '新しいお知らせ' },
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
  return (
    <NoticeEditor
      notice={undefined}
      Article={NoticeArticle}
      Confirmation={Confirmation}
      onGo={(id) =>
        id !== undefined && void navigate({ to: '/admin/notice/edit/$id', params: { id }, replace: true })
      }
    />
  )
}
