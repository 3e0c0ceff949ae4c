// OwnHolds: the viewer's posts and comments that wait, or waited, for a review.
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { listOwnHolds, type OwnHold } from '#contract/moderation/holds.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { pagesFor } from '#src/domain/queries/query.ts'
import { dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { ownHoldsText as words } from './own-holds-text.ts'

const holdsQuery = infiniteQueryOptions({ ...pagesFor(listOwnHolds, {}), staleTime: 0 })

interface OwnHoldsProps {
  failed: (error: Error, retry: () => Promise<unknown>) => ReactNode
}

export function OwnHolds({ failed }: OwnHoldsProps) {
  const list = useInfiniteQuery(holdsQuery)
  if (list.isPending) return <Skeleton className="m-4 h-40" />
  if (!list.data) return failed(list.error, list.refetch)
  const holds = list.data.pages.flatMap((page) => page.holds)
  if (holds.length === 0) return <EmptyState drawing="letter" title={words.none} text={words.noneText} />
  return (
    <div className="pb-16">
      <p className="px-4 pt-5 text-soft">{words.lead}</p>
      <p className="px-4 pt-2 pb-4 text-sm text-soft">{words.appeal}</p>
      <ul className="border-t border-line">
        {holds.map((it) => (
          <Hold key={it.id} it={it} />
        ))}
      </ul>
      <LoadMore {...loadMore(list, words.more)} />
    </div>
  )
}

function Hold({ it }: { it: OwnHold }) {
  const isOpen = it.state === 'open'
  return (
    <li className="flex flex-col gap-1 border-b border-line px-4 py-4">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-semibold">{words.kinds[it.kind]}</span>
        <Badge look={isOpen ? 'care' : it.state === 'approved' ? 'good' : 'plain'}>
          {words.states[it.state]}
        </Badge>
      </p>
      {it.excerpt !== '' && (
        <p dir="auto" className="break-words">
          {it.excerpt}
        </p>
      )}
      <p className="text-sm">
        {it.word === '' ? words.reasons[it.reason] : words.word(it.word)}。
        {isOpen && words.reviewers[it.reviewer]}
      </p>
      <p className="text-sm text-soft tabular-nums">{dateTime(Date.parse(it.ended_at ?? it.created_at))}</p>
      {it.post_id !== null && (isOpen || it.state === 'approved') && (
        <Link
          to="/post/$id"
          params={{ id: it.post_id }}
          className="inline-flex min-h-11 items-center self-start underline underline-offset-4"
        >
          {words.open}
        </Link>
      )}
    </li>
  )
}
