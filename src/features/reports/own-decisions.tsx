// OwnDecisions: decisions about the person, with their appeals.
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { DecisionCard } from './decision-card.tsx'
import { decisionsText as words } from './decisions-text.ts'
import { ownDecisionsQuery } from './decisions.ts'

interface OwnDecisionsProps {
  failed: (error: Error, retry: () => Promise<unknown>) => ReactNode
}

export function OwnDecisions({ failed }: OwnDecisionsProps) {
  const list = useInfiniteQuery(ownDecisionsQuery)
  if (list.isPending) return <Skeleton className="m-4 h-40" />
  if (!list.data) return failed(list.error, list.refetch)
  const decisions = list.data.pages.flatMap((page) => page.decisions)
  if (decisions.length === 0) return <EmptyState drawing="letter" title={words.none} text={words.noneText} />
  return (
    <div className="pb-16">
      <p className="px-4 pt-5 pb-4 text-soft">{words.lead}</p>
      <ul className="border-t border-line">
        {decisions.map((it) => (
          <li key={it.id} className="border-b border-line px-4 py-4">
            <DecisionCard decision={it} />
          </li>
        ))}
      </ul>
      <LoadMore {...loadMore(list, words.more)} />
    </div>
  )
}
