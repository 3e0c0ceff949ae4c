// /settings/sales-management/statement?id: a monthly statement, for printing.
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import * as v from 'valibot'
import { isMissing } from '#src/domain/api/api.ts'
import { StatementPage, UnknownStatement } from '#src/features/sales/statement-page.tsx'
import { statementQuery } from '#src/features/sales/sales.ts'
import { SalesSkeleton } from '#src/features/sales/sales-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { searchId } from '#src/lib/search-text.ts'

export const Route = createFileRoute('/settings/sales-management/statement')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '支払明細書' },
  validateSearch: v.object({ id: searchId }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, deps }) => {
    if (deps.id !== undefined) await queryClient.fetchQuery(statementQuery(deps.id))
  },
  pendingComponent: SalesSkeleton,
  errorComponent: Failed,
  component: Statement,
})

function Statement() {
  const { id: statementId } = Route.useSearch()
  return statementId === undefined ? <UnknownStatement /> : <StatementPage id={statementId} />
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  if (isMissing(error)) return <UnknownStatement />
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
