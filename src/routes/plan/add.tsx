// /plan/add: the form of a new plan; without an identity check, the way to it.
import {
  createFileRoute,
  Link,
  useNavigate,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import { useSuspenseQuery } from '@tanstack/react-query'
import { MAX_PLANS } from '#contract/limits.ts'
import { NewPlanForm } from '#src/features/plans/plan-form.tsx'
import { ownPlansQuery } from '#src/features/plans/plans.ts'
import { PlansSkeleton } from '#src/features/plans/plans-skeleton.tsx'
import { planText } from '#src/features/plans/text.ts'
import { SellerNotice } from '#src/features/sellers/seller-notice.tsx'
import { ownSellerQuery } from '#src/features/sellers/sellers.ts'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { useMember } from '#src/domain/session/session.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'

export const Route = createFileRoute('/plan/add')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: 'プランを作る' },
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([queryClient.fetchQuery(ownPlansQuery), queryClient.prefetchQuery(ownSellerQuery)])
  },
  pendingComponent: PlansSkeleton,
  errorComponent: Failed,
  component: AddPlan,
})

function AddPlan() {
  const navigate = useNavigate()
  const me = useMember()
  const { plans } = useSuspenseQuery(ownPlansQuery).data
  const words = planText.own
  if (me?.identified === false)
    return (
      <EmptyState
        drawing="letter"
        title={words.needsIdentity}
        text={words.noneText}
        action={
          <Link to="/user/verification" className={buttonClass('ink')}>
            {words.toIdentity}
          </Link>
        }
      />
    )
  if (plans.filter((it) => it.state !== 'ended').length >= MAX_PLANS)
    return (
      <EmptyState
        drawing="letter"
        title={words.atMost}
        action={
          <Link to="/plan" search={{}} className={buttonClass('quiet')}>
            {planText.detail.back}
          </Link>
        }
      />
    )
  return (
    <>
      <SellerNotice always />
      <NewPlanForm
        onCreated={(id) => void navigate({ to: '/plan', search: { id }, replace: true })}
        onWithoutPicture={(id) => void navigate({ to: '/plan/edit', search: { id }, replace: true })}
      />
    </>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
