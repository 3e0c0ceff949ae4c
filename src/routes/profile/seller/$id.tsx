// /profile/seller/{id}: who sells a creator's posts and plans, as the law requires.
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { operatorQuery } from '#src/features/legal/operator.ts'
import { OperatorRows, SellerTerms } from '#src/features/legal/seller-terms.tsx'
import { SellerPage, UnknownSeller } from '#src/features/sellers/seller-page.tsx'
import { sellerQuery } from '#src/features/sellers/sellers.ts'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { isMissing } from '#src/domain/api/api.ts'

export const Route = createFileRoute('/profile/seller/$id')({
  codeSplitGroupings: [['loader', 'component', 'errorComponent'], ['pendingComponent']],
  staticData: { access: 'open', layout: 'head-title', title: '特定商取引法に基づく表記' },
  loader: async ({ context: { queryClient }, params: { id } }) => {
    // Who may see the data changes with purchases and answers.
    await Promise.all([
      queryClient.fetchQuery({ ...sellerQuery(id), staleTime: 0 }),
      queryClient.ensureQueryData(operatorQuery),
    ])
  },
  pendingComponent: SettingsSkeleton,
  errorComponent: Failed,
  component: Seller,
})

function Seller() {
  const { id } = Route.useParams()
  return <SellerPage key={id} userId={id} operator={<OperatorRows />} terms={<SellerTerms />} />
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  if (isMissing(error)) return <UnknownSeller />
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
