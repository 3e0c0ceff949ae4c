// PeopleResults: the people found by a search.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ListedPerson } from '#contract/people/people.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { ApiFailure, isUnanswered } from '#src/domain/api/api.ts'
import { Marked } from '#src/domain/posts/highlight.tsx'
import { errorText } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'
import { searchText } from './text.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { foundPeopleQuery } from './results.ts'

interface PeopleResultsProps {
  q: string
  /** Renders the action beside a person. */
  action: (person: ListedPerson) => ReactNode
}

export function PeopleResults({ q, action }: PeopleResultsProps) {
  const found = useInfiniteQuery(foundPeopleQuery(q))
  if (found.isPending) return <PeopleSkeleton />
  const code = found.error instanceof ApiFailure ? found.error.code : 'internal'
  if (!found.data)
    return (
      <EmptyState
        drawing={isUnanswered(found.error) ? 'offline' : 'letter'}
        title={text.errorTitle}
        text={errorText[code]}
        action={
          <Button look="quiet" busy={found.isFetching} onClick={() => void found.refetch()}>
            {text.retry}
          </Button>
        }
      />
    )
  const people = found.data.pages.flatMap((page) => page.people)
  const shown = people.filter((it, i) => people.findIndex((other) => other.id === it.id) === i)
  if (shown.length === 0)
    return <EmptyState drawing="letter" title={searchText.none(q)} text={searchText.nonePeople} />
  return (
    <>
      <ul aria-label={searchText.peopleList(q)}>
        {shown.map((person) => (
          <Person key={person.id} person={person} action={action(person)} />
        ))}
      </ul>
      <LoadMore {...loadMore(found, text.posts.loadMore)} />
    </>
  )
}

function Person({ person, action }: { person: ListedPerson; action: ReactNode }) {
  return (
    <li className="relative flex items-start gap-3 border-b border-line px-4 py-3 hover:bg-sunk">
      <Avatar name={person.name} src={person.avatar_url} size={48} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">
          <Link to="/profile/$id" params={{ id: person.id }} className="after:absolute after:inset-0">
            <Marked text={person.name} />
          </Link>
        </p>
        {person.handle !== null && (
          <p className="truncate text-sm text-soft">
            @<Marked text={person.handle} />
          </p>
        )}
        {person.bio !== '' && (
          <p dir="auto" className="mt-0.5 line-clamp-2 text-sm">
            <Marked text={person.bio} />
          </p>
        )}
      </div>
      <div className="relative z-1">{action}</div>
    </li>
  )
}

export function PeopleSkeleton() {
  return (
    <div aria-busy className="flex flex-col">
      {[0, 1, 2, 3].map((it) => (
        <div key={it} className="flex items-center gap-3 border-b border-line px-4 py-3">
          <Skeleton className="size-12 rounded-pill" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-32" />
            <Skeleton className="h-4 w-52" />
          </div>
        </div>
      ))}
    </div>
  )
}
