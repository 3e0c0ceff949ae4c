// /admin/report: cases of reported content and people, for staff.
import { createFileRoute, type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { caseOrders, caseStates } from '#contract/moderation/case-states.ts'
import { ReportsPage } from '#src/features/administration/reports/reports-page.tsx'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/load-failure.tsx'
import { loadDesk, StaffConfirmation, StaffGate } from '#src/routes/-staff.tsx'

const search = v.object({
  state: v.optional(v.fallback(v.optional(v.picklist(caseStates)), undefined)),
  kind: v.optional(v.fallback(v.optional(v.picklist(['post', 'comment', 'person', 'message'])), undefined)),
  order: v.optional(v.fallback(v.optional(v.picklist(caseOrders)), undefined)),
  /** The case that is open. */
  case: v.optional(v.fallback(v.optional(idSchema), undefined)),
})

export const Route = createFileRoute('/admin/report')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'staff', layout: 'head-title', title: '通報' },
  validateSearch: search,
  loader: ({ context }) => loadDesk(context.queryClient, 'reports'),
  pendingComponent: SettingsSkeleton,
  errorComponent: Failed,
  component: Reports,
})

function Reports() {
  const { state = 'open', kind, order = 'age', case: open } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <StaffGate path="/admin/report">
      {() => (
        <ReportsPage
          view={{ state, kind, order }}
          open={open}
          onView={(view) => void navigate({ search: view, replace: true })}
          onOpen={(id) => void navigate({ search: { state, kind, order, case: id } })}
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
