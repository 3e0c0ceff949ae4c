// /appeal/purchases?id: payment records of a suspended person, by the link of the decision's email.
import { createFileRoute, Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import * as v from 'valibot'
import { recordsToken } from '#contract/moderation/records-token.ts'
import { receiptQuery } from '#src/features/purchases/purchases.ts'
import type { RecordsOnly } from '#src/features/purchases/records-only.ts'
import { Records } from '#src/features/purchases/records.tsx'
import { purchaseText, receiptText } from '#src/features/purchases/text.ts'
import { decisionsText as words } from '#src/features/reports/decisions-text.ts'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { ApiFailure, callWith, isMissing } from '#src/domain/api/api.ts'
import { linkSecret } from '#src/domain/session/link-secret.ts'
import { linkClass } from '#src/ui/text/link-class.ts'
import { searchId } from '#src/lib/search-text.ts'

const SECRET = 'todoke.appeal'

export const Route = createFileRoute('/appeal/purchases')({
  codeSplitGroupings: [['loader', 'component', 'errorComponent']],
  staticData: { access: 'open', layout: 'simple', title: '購入履歴と領収書', secret: SECRET },
  validateSearch: v.object({ id: searchId }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, deps, location: { pathname, hash } }) => {
    const decisionId = new URLSearchParams(hash).get('decision')
    const token = linkSecret(SECRET, { pathname, searchStr: '', hash }).read()?.['token']
    if (decisionId === null || token === undefined) return undefined
    const caller = { call: callWith(recordsToken({ decisionId, token })), name: decisionId }
    if (deps.id !== undefined) await queryClient.fetchQuery(receiptQuery(deps.id, caller))
    const page = { to: '/appeal/purchases', hash } as const
    const records: RecordsOnly = {
      caller,
      history: { ...page, search: {} },
      receipt: (id) => ({ ...page, search: { id } }),
    }
    return { records, hash }
  },
  errorComponent: Failed,
  component: Purchases,
})

function Purchases() {
  const data = Route.useLoaderData()
  const { id } = Route.useSearch()
  if (!data) return <Closed sentence={words.linkInvalid} />
  const [title, back, label] =
    id === undefined
      ? ([purchaseText.title, { to: '/appeal', hash: data.hash }, words.toDecision] as const)
      : ([receiptText.title, data.records.history, receiptText.toHistory] as const)
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
      <Records records={data.records} paymentId={id} failed={unread} />
    </SimpleCard>
  )
}

const unread: typeof loadFailed = (error, retry) =>
  isClosed(error) ? <p className="px-4 rail:px-6">{words.recordsClosed}</p> : loadFailed(error, retry)

/** The suspension is over, or the link is of another version. */
const isClosed = (error: unknown): boolean => error instanceof ApiFailure && error.code === 'unauthenticated'

function Closed({ sentence }: { sentence: string }) {
  return (
    <SimpleCard title={words.records} foot={null}>
      <p>{sentence}</p>
    </SimpleCard>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  if (isClosed(error)) return <Closed sentence={words.recordsClosed} />
  if (isMissing(error)) return <Closed sentence={receiptText.unknownText} />
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
