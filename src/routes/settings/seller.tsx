// /settings/seller: the own data as a seller, which the law requires.
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { OwnSellerPage } from '#src/features/sellers/own-seller-page.tsx'
import { ownSellerQuery } from '#src/features/sellers/sellers.ts'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'

export const Route = createFileRoute('/settings/seller')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '販売者の情報' },
  loader: ({ context }) => context.queryClient.fetchQuery(ownSellerQuery),
  pendingComponent: SettingsSkeleton,
  errorComponent: Failed,
  component: OwnSellerPage,
})

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
