// FollowList: followers of a person, or people they follow.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FollowList as List } from '#contract/people/follow-lists.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { useMember } from '#src/domain/session/session.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { PeopleSkeleton } from './people-skeleton.tsx'
import { PersonRow } from './person-row.tsx'
import { followsQuery } from './profiles.ts'

interface FollowListProps {
  uid: string
  list: List
  /** Shown when it could not be read. */
  failed: (error: Error, retry: () => Promise<unknown>) => React.ReactNode
}

export function FollowList({ uid, list, failed }: FollowListProps) {
  const isOwn = useMember()?.id === uid
  const pages = useInfiniteQuery(followsQuery(uid, list))
  if (pages.isPending) return <PeopleSkeleton />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const people = pages.data.pages.flatMap((page) => page.people)
  if (people.length === 0 && !pages.hasNextPage) return <Empty list={list} isOwn={isOwn} />
  return (
    <div className="pb-16">
      <ul aria-label={words.lists[list]}>
        {people.map((person) => (
          <PersonRow key={person.id} person={person} />
        ))}
      </ul>
      <LoadMore {...loadMore(pages, words.loadMore)} />
    </div>
  )
}

function Empty({ list, isOwn }: { list: List; isOwn: boolean }) {
  const followers = list === 'followers'
  return (
    <EmptyState
      drawing="letter"
      title={followers ? words.noFollowers : words.noFollowing}
      {...(isOwn && {
        text: followers ? words.noFollowersText : words.noFollowingText,
        action: (
          <Link to="/" className={buttonClass('quiet')}>
            {words.findPeople}
          </Link>
        ),
      })}
    />
  )
}
