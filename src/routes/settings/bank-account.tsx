// /settings/bank-account: the account that a creator's payouts go to.
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { bankAccountQuery } from '#src/features/payouts/bank-account.ts'
import { BankAccountPage } from '#src/features/payouts/bank-account-page.tsx'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'

export const Route = createFileRoute('/settings/bank-account')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '振込先の口座' },
  loader: ({ context }) => context.queryClient.fetchQuery(bankAccountQuery),
  pendingComponent: SettingsSkeleton,
  errorComponent: Failed,
  component: BankAccountPage,
})

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
