// MemberList: the members of all own plans, newest first.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { MessageLink } from '#src/domain/people/message-link.tsx'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { date } from '#src/lib/format.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { type MemberFilter, membersQuery } from './creator.ts'
import { MemberFilters } from './member-filters.tsx'
import type { ListedMember } from './members-csv.ts'
import { memberText as words } from './text.ts'

interface MemberListProps {
  filter: MemberFilter
  onFilter: (filter: MemberFilter) => void
  /** Renders why the list could not be read. */
  failed: (error: Error | null, retry: () => Promise<unknown>) => ReactNode
}

export function MemberList({ filter, onFilter, failed }: MemberListProps) {
  const isFiltered = filter.q !== undefined || filter.plan !== undefined
  const list = useInfiniteQuery(membersQuery(filter))
  const members = list.data?.pages.flatMap((page) => page.members) ?? []
  // Without any member there is nothing to search.
  if (list.data && members.length === 0 && !isFiltered) return <Nothing />
  return (
    <div className="pb-16">
      <MemberFilters filter={filter} onChange={onFilter} />
      {list.isPending && <MembersSkeleton />}
      {list.isError && !list.data && failed(list.error, () => list.refetch())}
      {list.data && members.length === 0 && <NothingFound onClear={() => onFilter({})} />}
      {members.length > 0 && (
        <ul aria-label={words.list}>
          {members.map((it) => (
            <MemberRow key={`${it.person.id} ${it.plan.id}`} member={it} />
          ))}
        </ul>
      )}
      <LoadMore {...loadMore(list, words.more)} />
    </div>
  )
}

function MemberRow({ member: { person, plan, joined_at: at } }: { member: ListedMember }) {
  return (
    <li className="relative flex min-h-18 items-center gap-3 border-b border-line px-4 py-3 hover:bg-sunk rail:px-6">
      <Avatar name={person.name} src={person.avatar_url} size={48} />
      <div className="min-w-0 flex-1">
        <Link
          to="/profile/$id"
          params={{ id: person.id }}
          className="block truncate font-semibold after:absolute after:inset-0"
        >
          {person.name}
        </Link>
        {person.handle !== null && <p className="text-sm break-all text-soft">@{person.handle}</p>}
      </div>
      <div className="max-w-[50%] text-right text-sm">
        <p className="truncate">{plan.name}</p>
        <p className="text-soft tabular-nums">{words.since(date(Date.parse(at)))}</p>
      </div>
      <MessageLink person={person} />
    </li>
  )
}

function Nothing() {
  return (
    <EmptyState
      drawing="letter"
      title={words.none}
      text={words.noneText}
      action={
        <Link to="/plan" search={{}} className={buttonClass('quiet')}>
          {words.toPlans}
        </Link>
      }
    />
  )
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      drawing="letter"
      title={words.noneFound}
      text={words.noneFoundText}
      action={
        <Button look="quiet" onClick={onClear}>
          {words.clear}
        </Button>
      }
    />
  )
}

export function MembersSkeleton() {
  return (
    <output aria-label={words.title} className="block">
      {Array.from({ length: 5 }, (_, n) => (
        <span key={n} className="flex min-h-18 items-center gap-3 border-b border-line px-4 py-3 rail:px-6">
          <Skeleton className="size-12 rounded-pill" />
          <span className="flex-1">
            <Skeleton className="h-4 w-32 max-w-full" />
            <Skeleton className="mt-2 h-3.5 w-20" />
          </span>
        </span>
      ))}
    </output>
  )
}
