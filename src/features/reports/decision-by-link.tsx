// DecisionByLink: a decision opened by the link of its email, without a session.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readDecision } from '#contract/moderation/decisions.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { DecisionCard } from './decision-card.tsx'
import { decisionsText as words } from './decisions-text.ts'

interface DecisionByLinkProps {
  decisionId: string
  token: string
  failed: (error: Error, retry: () => Promise<unknown>) => ReactNode
  /** Leads to the payment records, which are open by the link while the account is suspended. */
  records: ReactNode
}

export function DecisionByLink({ decisionId, token, failed, records }: DecisionByLinkProps) {
  const client = useQueryClient()
  const queryKey = ['decision-by-link', decisionId] as const
  const reading = useQuery({
    queryKey,
    queryFn: () => call(readDecision, { body: { decision_id: decisionId, token } }),
    retry: false,
    staleTime: Infinity,
  })
  if (reading.isPending) return <Skeleton className="h-40" />
  if (!reading.data) {
    const isInvalid =
      reading.error instanceof ApiFailure && ['link_invalid', 'invalid'].includes(reading.error.code)
    return isInvalid ? <p>{words.linkInvalid}</p> : failed(reading.error, reading.refetch)
  }
  const { decision, records: hasRecords } = reading.data
  return (
    <>
      <DecisionCard
        decision={decision}
        token={token}
        onAppealed={(changed) => client.setQueryData(queryKey, { decision: changed, records: hasRecords })}
      />
      {hasRecords && (
        <div className="mt-6 border-t border-line pt-5">
          {records}
          <p className="mt-2 text-sm text-soft">{words.recordsHint}</p>
        </div>
      )}
    </>
  )
}
