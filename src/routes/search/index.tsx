// /search: the search field with earlier and frequent searches.
import { createFileRoute } from '@tanstack/react-router'
import { SearchHome, trendingQuery } from '#src/features/search/search-home.tsx'
import { useMember } from '#src/domain/session/session.ts'
import { searchText } from '#src/features/search/text.ts'
import { Box, useSearch } from './-box.tsx'

export const Route = createFileRoute('/search/')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'member', layout: 'default', title: '検索' },
  // Not awaited, since the field is the main content.
  loader: ({ context }) => void context.queryClient.prefetchQuery(trendingQuery()),
  component: Page,
})

function Page() {
  const me = useMember()
  return me && <Begin ownerId={me.id} />
}

function Begin({ ownerId }: { ownerId: string }) {
  const search = useSearch(ownerId)
  return (
    <>
      <h1 className="sr-only">{searchText.title}</h1>
      <Box ownerId={ownerId} />
      <SearchHome ownerId={ownerId} onSearch={search} />
    </>
  )
}
