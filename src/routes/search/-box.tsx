// The search field of both search pages, visible while the page scrolls.
import { useNavigate } from '@tanstack/react-router'
import { history } from '#src/features/search/history.ts'
import { SearchBox } from '#src/features/search/search-box.tsx'

interface BoxProps {
  ownerId: string
  initial?: string
}

/** Searches, and stores the search on this device. */
export function useSearch(ownerId: string): (q: string) => void {
  const navigate = useNavigate()
  return (q) => {
    history.add(ownerId, q)
    void navigate({ to: '/search/result', search: { q } })
  }
}

export function Box({ ownerId, initial = '' }: BoxProps) {
  const navigate = useNavigate()
  const search = useSearch(ownerId)
  return (
    <div className="stays-on-top top-(--head) z-15 bg-paper px-4 py-2 rail:top-0">
      <SearchBox
        key={initial}
        ownerId={ownerId}
        initial={initial}
        onSearch={search}
        onPerson={(person) => void navigate({ to: '/profile/$id', params: { id: person.id } })}
      />
    </div>
  )
}
