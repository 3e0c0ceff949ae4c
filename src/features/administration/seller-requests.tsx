// SellerRequests: requests for sellers' data that the operator answers.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useId, useState } from 'react'
import type { WaitingRequest } from '#contract/sellers/admin-sellers.ts'
import { dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import type { Failed } from './check-list.tsx'
import type { Confirms } from './evidence.tsx'
import { ConfirmSheet } from './confirm-sheet.tsx'
import { SellerAnswers } from './seller-answers.tsx'
import { sellerRequestsQuery } from './sellers.ts'
import { sellersText as words } from './sellers-text.ts'
import { administrationText } from './text.ts'
import { Waiting } from './waiting.tsx'

interface SellerRequestsProps {
  failed: Failed
  Confirmation: Confirms
}

export function SellerRequests({ failed, Confirmation }: SellerRequestsProps) {
  const [confirming, setConfirming] = useState(false)
  return (
    <section aria-labelledby="seller-requests" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <h2 id="seller-requests" className="px-4 pt-3 pb-2 text-lg font-semibold">
        {words.title}
      </h2>
      <p className="px-4 pb-4 text-soft">{words.lead}</p>
      <Requests failed={failed} onUnconfirmed={() => setConfirming(true)} />
      <ConfirmSheet
        description={words.confirm}
        open={confirming}
        onOpenChange={setConfirming}
        Confirmation={Confirmation}
      />
    </section>
  )
}

function Requests({ failed, onUnconfirmed }: { failed: Failed; onUnconfirmed: () => void }) {
  const reading = useQuery(sellerRequestsQuery)
  if (reading.isPending) return <Waiting />
  if (!reading.data) return failed(reading.error, reading.refetch)
  const { requests, has_more: hasMore } = reading.data
  if (requests.length === 0) return <EmptyState drawing="letter" title={words.none} text={words.noneText} />
  return (
    <>
      <ul aria-label={words.title} className="border-t border-line">
        {requests.map((it) => (
          <Request key={it.id} request={it} readAt={reading.dataUpdatedAt} onUnconfirmed={onUnconfirmed} />
        ))}
      </ul>
      {hasMore && <p className="px-4 pt-4 text-sm text-soft">{words.more}</p>}
    </>
  )
}

interface RequestProps {
  request: WaitingRequest
  readAt: number
  onUnconfirmed: () => void
}

function Request({ request: it, readAt, onUnconfirmed }: RequestProps) {
  const id = useId()
  return (
    <li aria-labelledby={id} className="border-b border-line px-4 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h3 id={id} className="min-w-0 font-semibold break-words">
          {words.from(it.requester.name, it.creator.name)}
        </h3>
        {Date.parse(it.due_at) < readAt && <Badge look="care">{words.overdue}</Badge>}
      </div>
      <Facts request={it} />
      <SellerAnswers request={it} onUnconfirmed={onUnconfirmed} />
    </li>
  )
}

function Facts({ request: it }: { request: WaitingRequest }) {
  const { rows } = words
  const facts: (readonly [string, string])[] = [
    [rows.due, dateTime(Date.parse(it.due_at))],
    [rows.requested, dateTime(Date.parse(it.requested_at))],
    [rows.relation, words.relations[it.relation]],
    ...(it.blocked ? [[rows.blocked, words.isBlocked] as const] : []),
    [rows.data, it.has_data ? words.hasData : words.noData],
    [rows.reason, it.reason === '' ? words.noReason : it.reason],
  ]
  return (
    <dl className="mt-2 grid grid-cols-[7rem_1fr] gap-x-3 gap-y-0.5 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="min-w-0 break-words whitespace-pre-line tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
