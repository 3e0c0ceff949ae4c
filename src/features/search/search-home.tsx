// SearchHome: earlier searches of this person, and frequent searches.
import { useQuery } from '@tanstack/react-query'
import { Clock, TrendingUp, X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { listTrending } from '#contract/search/search.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { searchText } from './text.ts'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { history, useHistory } from './history.ts'

interface SearchHomeProps {
  ownerId: string
  onSearch: (q: string) => void
}

export const trendingQuery = () => ({ ...queryFor(listTrending, {}), staleTime: 60_000 })

export function SearchHome({ ownerId, onSearch }: SearchHomeProps) {
  const words = useHistory(ownerId)
  // Optional content: without a network it is not shown.
  const trending = useQuery(trendingQuery())
  const wanted = trending.data?.words ?? []
  if (words.length + wanted.length === 0 && !trending.isPending)
    return <EmptyState drawing="letter" title={searchText.begin.title} text={searchText.begin.text} />
  return (
    <div className="pb-6">
      {words.length > 0 && (
        <Group
          title={searchText.history}
          action={
            <button
              type="button"
              onClick={() => {
                history.clear(ownerId)
                toast(searchText.forgotten)
              }}
              className="min-h-11 px-4 text-sm text-soft underline underline-offset-3 hover:text-ink"
            >
              {searchText.forgetAll}
            </button>
          }
        >
          {words.map((word) => (
            <li key={word} className="flex items-center border-b border-line">
              <Line icon={<Clock aria-hidden size={18} />} word={word} onPress={() => onSearch(word)} />
              <IconButton
                label={searchText.forget(word)}
                icon={<X size={18} />}
                onClick={() => history.remove(ownerId, word)}
              />
            </li>
          ))}
        </Group>
      )}
      {words.length > 0 && <p className="px-4 pt-2 text-sm text-soft">{searchText.historyHint}</p>}
      {trending.isPending && <Skeleton className="mx-4 mt-8 h-40" />}
      {wanted.length > 0 && (
        <Group title={searchText.trending}>
          {wanted.map((word) => (
            <li key={word} className="border-b border-line">
              <Line icon={<TrendingUp aria-hidden size={18} />} word={word} onPress={() => onSearch(word)} />
            </li>
          ))}
        </Group>
      )}
    </div>
  )
}

function Group({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-4 first:mt-2">
      <div className="flex min-h-11 items-center justify-between">
        <h2 id={id} className="px-4 text-sm font-semibold text-soft">
          {title}
        </h2>
        {action}
      </div>
      <ul className="border-t border-line">{children}</ul>
    </section>
  )
}

function Line({ icon, word, onPress }: { icon: ReactNode; word: string; onPress: () => void }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="flex min-h-12 w-full min-w-0 flex-1 items-center gap-3 px-4 text-left hover:bg-sunk"
    >
      <span className="shrink-0 text-soft">{icon}</span>
      <span className="truncate">{word}</span>
    </button>
  )
}
