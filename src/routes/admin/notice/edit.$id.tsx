// /admin/notice/edit/{id}: a stored notice of the operator, for staff.
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { NoticeEditor } from '#src/features/administration/notices/notice-editor.tsx'
import { detailQuery } from '#src/features/administration/notices/notices.ts'
import { NoticeArticle } from '#src/features/notify/notice.tsx'
import { isMissing } from '#src/domain/api/api.ts'
import { loadDesk, StaffConfirmation, StaffGate } from '#src/routes/-staff.tsx'
import { Failed } from './-failed.tsx'

export const Route = createFileRoute('/admin/notice/edit/$id')({
  // One file, since the first download names each.
  codeSplitGroupings: [['loader', 'component', 'errorComponent']],
  staticData: { access: 'staff', layout: 'head-title', title: 'お知らせの編集' },
  loader: async ({ context, params }) => {
    if (!v.is(idSchema, params.id)) throw notFound()
    if (!(await loadDesk(context.queryClient, 'notices'))) return
    try {
      await context.queryClient.ensureQueryData(detailQuery(params.id))
    } catch (error) {
      if (isMissing(error)) throw notFound()
      throw error
    }
  },
  errorComponent: Failed,
  component: Gated,
})

function Gated() {
  const { id } = Route.useParams()
  return <StaffGate path={`/admin/notice/edit/${id}`}>{() => <Page />}</StaffGate>
}

function Page() {
  const { id } = Route.useParams()
  const notice = useSuspenseQuery(detailQuery(id)).data
  const navigate = Route.useNavigate()
  return (
    <NoticeEditor
      key={id}
      notice={notice}
      Article={NoticeArticle}
      Confirmation={StaffConfirmation}
      onGo={() => void navigate({ to: '/admin/notice', replace: true })}
    />
  )
}
