// /search/result: the posts and people found by a search.
import { useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { useMemo } from 'react'
import { termsOf } from '#contract/text/fold.ts'
import type { ListedPerson } from '#contract/people/people.ts'
import { PostList } from '#src/features/posts/post-list.tsx'
import { loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { FollowButton } from '#src/features/profiles/follow-button.tsx'
import { FilterButton } from '#src/features/search/filter-sheet.tsx'
import { type Filters, filtersOf, readResultSearch } from '#src/features/search/filters.ts'
import { PeopleResults } from '#src/features/search/people-results.tsx'
import { foundPostsQuery } from '#src/features/search/results.ts'
import { SearchedFor } from '#src/domain/posts/highlight.tsx'
import { useMember } from '#src/domain/session/session.ts'
import { searchText } from '#src/features/search/text.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { Box } from './-box.tsx'

export const Route = createFileRoute('/search/result')({
  codeSplitGroupings: [['component']],
  staticData: { access: 'member', layout: 'default', title: '検索結果' },
  validateSearch: readResultSearch,
  beforeLoad: ({ search }) => {
    if (search.q === '') throw redirect({ to: '/search', replace: true })
  },
  component: Page,
})

const followBeside = (person: ListedPerson) => <FollowButton person={person} />

function Page() {
  const me = useMember()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const { q, tab = 'posts' } = search
  const filters = filtersOf(search)
  const terms = useMemo(() => termsOf(q), [q])
  if (!me) return null
  const narrow = (next: Filters) => void navigate({ search: { q, ...next }, replace: true })
  return (
    <SearchedFor value={terms}>
      <h1 className="sr-only">{searchText.resultTitle}</h1>
      <Box ownerId={me.id} initial={q} />
      <Tabs
        label={searchText.kinds}
        value={tab}
        onChange={(next) =>
          void navigate({
            search: { q, ...filters, ...(next === 'people' && { tab: next }) },
            replace: true,
          })
        }
        tabs={[
          {
            value: 'posts',
            label: searchText.posts,
            panel: <PostResults q={q} filters={filters} onFilters={narrow} />,
          },
          {
            value: 'people',
            label: searchText.people,
            panel: <PeopleResults key={q} q={q} action={followBeside} />,
          },
        ]}
      />
    </SearchedFor>
  )
}

interface PostResultsProps {
  q: string
  filters: Filters
  onFilters: (next: Filters) => void
}

function PostResults({ q, filters, onFilters }: PostResultsProps) {
  const found = useInfiniteQuery(foundPostsQuery(q, filters))
  const narrowed = Object.keys(filters).length > 0
  const name = `search:${q}:${JSON.stringify(filters)}`
  return (
    <>
      <div className="flex justify-end border-b border-line px-4 py-2">
        <FilterButton filters={filters} onChange={onFilters} />
      </div>
      <PostList
        key={name}
        feed={found}
        name={name}
        label={searchText.list(q)}
        failed={loadFailed}
        empty={
          <EmptyState
            drawing="letter"
            title={searchText.none(q)}
            text={searchText.nonePosts}
            action={
              narrowed && (
                <Button look="quiet" onClick={() => onFilters({})}>
                  {searchText.widen}
                </Button>
              )
            }
          />
        }
      />
    </>
  )
}
