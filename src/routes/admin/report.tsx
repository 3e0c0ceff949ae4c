// /admin/report: cases of reported content and people, for staff.
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, notFound, type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import * as v from 'valibot'
import { mayUse } from '#contract/administration/areas.ts'
import { id as idSchema } from '#contract/ids.ts'
import { caseOrders, caseStates } from '#contract/moderation/case-states.ts'
import { isMissing } from '#src/domain/api/api.ts'
import { ReportsPage } from '#src/features/administration/reports/reports-page.tsx'
import { deskQuery } from '#src/features/administration/staff/staff.ts'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/load-failure.tsx'
import { StaffConfirmation } from '#src/routes/-staff-confirmation.tsx'

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
  // The server decides who is staff: for all other people there is no such page.
  loader: async ({ context }) => {
    try {
      const { role } = await context.queryClient.ensureQueryData(deskQuery)
      if (!mayUse(role, 'reports')) throw notFound()
    } catch (error) {
      if (isMissing(error)) throw notFound()
      throw error
    }
  },
  pendingComponent: SettingsSkeleton,
  errorComponent: Failed,
  component: Reports,
})

function Reports() {
  const desk = useQuery(deskQuery)
  const { state = 'open', kind, order = 'age', case: open } = Route.useSearch()
  const navigate = Route.useNavigate()
  if (!desk.data) return desk.error && loadFailed(desk.error, desk.refetch)
  return (
    <ReportsPage
      view={{ state, kind, order }}
      open={open}
      onView={(view) => void navigate({ search: view, replace: true })}
      onOpen={(id) => void navigate({ search: { state, kind, order, case: id } })}
      failed={loadFailed}
      Confirmation={StaffConfirmation}
    />
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
