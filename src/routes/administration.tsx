// /administration: identity checks and tasks about money, for admins alone.
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, notFound, type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import * as v from 'valibot'
import { mayUse } from '#contract/administration/areas.ts'
import { checkLists } from '#contract/identity/check-lists.ts'
import { id as idSchema } from '#contract/ids.ts'
import { payoutLists } from '#contract/payouts/payout-lists.ts'
import { AdjustmentsPage } from '#src/features/administration/adjustments/adjustments-page.tsx'
import { SettlementsPage } from '#src/features/administration/adjustments/settlements-page.tsx'
import { CheckDetail } from '#src/features/administration/check-detail.tsx'
import { CheckLists } from '#src/features/administration/check-list.tsx'
import { deskQuery } from '#src/features/administration/staff/staff.ts'
import { PayoutsPage } from '#src/features/administration/payouts/payouts-page.tsx'
import { SellerRequests } from '#src/features/administration/seller-requests.tsx'
import { Desk, partFor } from '#src/features/administration/desk-links.tsx'
import { StaffPage } from '#src/features/administration/staff/staff-page.tsx'
import { MoneyTasks } from '#src/features/administration/tasks.tsx'
import { ReservedNames } from '#src/features/administration/reserved-names.tsx'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/load-failure.tsx'
import { isMissing } from '#src/domain/api/api.ts'
import { StaffConfirmation } from './-staff-confirmation.tsx'

const search = v.object({
  list: v.optional(v.fallback(v.optional(v.picklist(checkLists)), undefined)),
  /** The check that is open. */
  check: v.optional(v.fallback(v.optional(idSchema), undefined)),
  /** What is shown instead of checks: members whose name poses as the operator, tasks about money, payouts, staff and so on. */
  show: v.optional(
    v.fallback(
      v.optional(v.picklist(['names', 'tasks', 'payouts', 'adjustments', 'sellers', 'settlements', 'staff'])),
      undefined,
    ),
  ),
  payouts: v.optional(v.fallback(v.optional(v.picklist(payoutLists)), undefined)),
  /** What is searched among adjustments. */
  q: v.optional(v.fallback(v.optional(v.pipe(v.string(), v.maxLength(200))), undefined)),
})

export const Route = createFileRoute('/administration')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'staff', layout: 'head-title', title: '管理' },
  validateSearch: search,
  // The server decides who is staff: for all other people there is no such page.
  loader: async ({ context }) => {
    try {
      await context.queryClient.ensureQueryData(deskQuery)
    } catch (error) {
      if (isMissing(error)) throw notFound()
      throw error
    }
  },
  pendingComponent: SettingsSkeleton,
  errorComponent: Failed,
  component: Administration,
})

function Administration() {
  const desk = useQuery(deskQuery)
  const { list = 'waiting', check, show: wanted, payouts = 'open', q } = Route.useSearch()
  const navigate = Route.useNavigate()
  if (!desk.data) return desk.error && loadFailed(desk.error, desk.refetch)
  const { role } = desk.data
  const show = partFor(role, wanted)
  if (show === 'tasks') return <MoneyTasks failed={loadFailed} />
  if (show === 'payouts')
    return (
      <PayoutsPage
        shown={payouts}
        onShow={(next) => void navigate({ search: { show: 'payouts', payouts: next }, replace: true })}
        failed={loadFailed}
        Confirmation={StaffConfirmation}
      />
    )
  if (show === 'adjustments')
    return (
      <AdjustmentsPage
        searched={q === '' ? undefined : q}
        onSearch={(next) => void navigate({ search: { show: 'adjustments', q: next } })}
        failed={loadFailed}
        Confirmation={StaffConfirmation}
      />
    )
  if (show === 'settlements') return <SettlementsPage failed={loadFailed} Confirmation={StaffConfirmation} />
  if (show === 'sellers') return <SellerRequests failed={loadFailed} Confirmation={StaffConfirmation} />
  if (show === 'staff') return <StaffPage failed={loadFailed} Confirmation={StaffConfirmation} />
  if (show === 'names') return <ReservedNames failed={loadFailed} />
  if (!mayUse(role, 'identity')) return <Desk role={role} />
  if (check === undefined)
    return (
      <CheckLists
        role={role}
        shown={list}
        onShow={(next) => void navigate({ search: { list: next }, replace: true })}
        failed={loadFailed}
      />
    )
  return (
    <CheckDetail key={check} id={check} list={list} failed={loadFailed} Confirmation={StaffConfirmation} />
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
