// /plan/edit?id: the form of an own plan, its picture and its end.
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import * as v from 'valibot'
import { PlanClosing } from '#src/features/plans/closing.tsx'
import { UnknownPlan } from '#src/features/plans/own-plan.tsx'
import { OwnPlanPicture, PlanForm } from '#src/features/plans/plan-form.tsx'
import { ownPlansQuery } from '#src/features/plans/plans.ts'
import { PlansSkeleton } from '#src/features/plans/plans-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { searchId } from '#src/lib/search-text.ts'

export const Route = createFileRoute('/plan/edit')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: 'プランを編集' },
  validateSearch: v.object({ id: searchId }),
  loader: ({ context }) => context.queryClient.fetchQuery(ownPlansQuery),
  pendingComponent: PlansSkeleton,
  errorComponent: Failed,
  component: EditPlan,
})

function EditPlan() {
  const { id: planId } = Route.useSearch()
  const navigate = useNavigate()
  const { plans } = useSuspenseQuery(ownPlansQuery).data
  const plan = plans.find((it) => it.id === planId)
  if (!plan) return <UnknownPlan />
  return (
    <>
      <OwnPlanPicture planId={plan.id} />
      {plan.ends_at === null && (
        <PlanForm
          key={plan.id}
          plan={plan}
          onSaved={() => void navigate({ to: '/plan', search: { id: plan.id }, replace: true })}
        />
      )}
      <PlanClosing plan={plan} />
    </>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
