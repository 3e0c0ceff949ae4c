// RequestLog: who has requested the own data as a seller, the newest first.
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReceivedRequest } from '#contract/sellers/own-seller.ts'
import { errorText, unexpectedErrorText } from '#src/domain/api/errors-text.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { text } from '#src/domain/text/text.ts'
import { dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { receivedQuery } from './sellers.ts'
import { ownSellerText } from './text.ts'

const words = ownSellerText.log

export function RequestLog() {
  const list = useInfiniteQuery(receivedQuery)
  const requests = list.data?.pages.flatMap((page) => page.requests)
  return (
    <section aria-labelledby="log" className="mt-10 border-t border-line pt-6">
      <h2 id="log" className="font-semibold">
        {words.title}
      </h2>
      <p className="mt-1 text-sm text-soft">{words.lead}</p>
      {list.isPending && <p className="mt-4 text-soft">{text.loading}</p>}
      {list.isError && !list.data && <Failure error={list.error} />}
      {requests?.length === 0 && <p className="mt-4 text-soft">{words.none}</p>}
      {requests && requests.length > 0 && (
        <ul className="mt-3 border-t border-line">
          {requests.map((it) => (
            <Request key={it.id} request={it} />
          ))}
        </ul>
      )}
      <LoadMore {...loadMore(list, words.more)} />
    </section>
  )
}

function Failure({ error }: { error: Error }) {
  return (
    <p role="alert" className="mt-4 text-seal-text">
      {error instanceof ApiFailure ? errorText[error.code] : unexpectedErrorText}
    </p>
  )
}

function Request({ request: { requester, requested_at: at, answer } }: { request: ReceivedRequest }) {
  const handle = requester?.handle ?? null
  return (
    <li className="flex items-start justify-between gap-3 border-b border-line py-3">
      <div className="min-w-0">
        <p className="break-words">
          {requester?.name ?? words.gone}
          {handle !== null && <span className="ml-2 text-soft">@{handle}</span>}
        </p>
        <p className="text-sm text-soft tabular-nums">{words.at(dateTime(Date.parse(at)))}</p>
      </div>
      <Badge look={answer === null ? 'care' : 'plain'}>
        {answer === null ? words.waiting : words.answers[answer]}
      </Badge>
    </li>
  )
}
