// /user/delete-account/purchases?id: payment records of a person whose account waits for its deletion.
import { createFileRoute, Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import * as v from 'valibot'
import { leavingText } from '#src/features/leaving/text.ts'
import { receiptQuery } from '#src/features/purchases/purchases.ts'
import { UnknownPurchase } from '#src/features/purchases/receipt-page.tsx'
import { type RecordsOnly, RecordsOnlyContext } from '#src/features/purchases/records-only.ts'
import { Records } from '#src/features/purchases/records.tsx'
import { purchaseText, receiptText } from '#src/features/purchases/text.ts'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { isMissing } from '#src/domain/api/api.ts'
import { linkClass } from '#src/ui/text/link-class.ts'
import { searchId } from '#src/lib/search-text.ts'

const OWN_PATH = '/user/delete-account/purchases'

export const Route = createFileRoute('/user/delete-account/purchases')({
  codeSplitGroupings: [['loader', 'component', 'errorComponent']],
  staticData: { access: 'member', layout: 'simple', title: '購入履歴と領収書', whileLeaving: true },
  validateSearch: v.object({ id: searchId }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, deps }) => {
    if (deps.id !== undefined) await queryClient.fetchQuery(receiptQuery(deps.id))
  },
  errorComponent: Failed,
  component: Purchases,
})

const records: RecordsOnly = {
  history: { to: OWN_PATH, search: {} },
  receipt: (id) => ({ to: OWN_PATH, search: { id } }),
}

function Purchases() {
  const { id } = Route.useSearch()
  const [title, back, label] =
    id === undefined
      ? ([purchaseText.title, { to: '/user/delete-account/waiting' }, leavingText.waiting.toWaiting] as const)
      : ([receiptText.title, records.history, receiptText.toHistory] as const)
  return (
    <SimpleCard
      wide
      title={title}
      foot={
        <Link {...back} className={linkClass}>
          {label}
        </Link>
      }
    >
      <Records records={records} paymentId={id} failed={loadFailed} />
    </SimpleCard>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  if (isMissing(error))
    return (
      <RecordsOnlyContext value={records}>
        <UnknownPurchase />
      </RecordsOnlyContext>
    )
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
