// /admin/report: cases of reported content and people, for staff.
import { createFileRoute, type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { caseOrders, caseStates } from '#contract/moderation/case-states.ts'
import { ReportsPage } from '#src/features/administration/reports/reports-page.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { searchText } from '#src/lib/search-text.ts'
import { loadDesk, StaffConfirmation, StaffGate } from '#src/routes/-staff.tsx'

const kinds = ['post', 'comment', 'person', 'message'] as const

/** `case`: the one that is open. `about` and `by`: a person. */
const search = v.object({
  state: searchText,
  kind: searchText,
  order: searchText,
  case: searchText,
  about: searchText,
  by: searchText,
})

export const Route = createFileRoute('/admin/report')({
  codeSplitGroupings: [['loader', 'component'], ['errorComponent']],
  staticData: { access: 'staff', layout: 'head-title', title: '通報' },
  validateSearch: search,
  loader: ({ context }) => loadDesk(context.queryClient, 'reports'),
  errorComponent: Failed,
  component: Reports,
})

function Reports() {
  const given = Route.useSearch()
  const state = caseStates.find((it) => it === given.state) ?? 'open'
  const order = caseOrders.find((it) => it === given.order) ?? 'age'
  const kind = kinds.find((it) => it === given.kind)
  const idOf = (it: string | undefined) => (v.is(idSchema, it) ? it : undefined)
  const open = idOf(given.case)
  const view = { state, kind, order, about: idOf(given.about), by: idOf(given.by) }
  const navigate = Route.useNavigate()
  return (
    <StaffGate path="/admin/report">
      {() => (
        <ReportsPage
          view={view}
          open={open}
          onView={(next) => void navigate({ search: next, replace: true })}
          onOpen={(id) => void navigate({ search: { ...view, case: id } })}
          failed={loadFailed}
          Confirmation={StaffConfirmation}
        />
      )}
    </StaffGate>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
