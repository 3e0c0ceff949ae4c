// BlockList: whom one has blocked, and taking it back.
import { useQueryClient, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listBlocks, unblockPerson } from '#contract/settings.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { call } from '#src/lib/api.ts'
import { date } from '#src/lib/format.ts'
import { text } from '#src/lib/text.ts'
import { blocksText } from '#src/lib/text-settings.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { toast } from '#src/ui/toast.ts'
import { blocksQuery, readPostsAgain, sayNotChanged } from './settings.ts'

const words = blocksText
type Blocked = ReplyOf<typeof listBlocks>['people'][number]

export function BlockList() {
  const list = useSuspenseInfiniteQuery(blocksQuery)
  const people = list.data.pages.flatMap((page) => page.people)
  if (people.length === 0 && !list.hasNextPage)
    return <EmptyState drawing="letter" title={words.emptyTitle} text={words.emptyText} />
  return (
    <div className="pb-16">
      <p className="px-4 pt-5 pb-4 text-soft">{words.lead}</p>
      <ul className="border-t border-line">
        {people.map((person) => (
          <Person key={person.id} person={person} />
        ))}
      </ul>
      {list.hasNextPage && (
        <div className="flex justify-center py-6">
          <Button
            look="quiet"
            size="small"
            busy={list.isFetchingNextPage}
            busyLabel={text.loading}
            onClick={() => void list.fetchNextPage()}
          >
            {words.more}
          </Button>
        </div>
      )}
    </div>
  )
}

function Person({ person }: { person: Blocked }) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function unblock() {
    setBusy(true)
    try {
      await call(unblockPerson, { params: { user_id: person.id } })
      toast(words.unblocked(person.name), 'success')
      await Promise.all([client.invalidateQueries(blocksQuery), readPostsAgain(client)])
    } catch (failure) {
      sayNotChanged(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <li className="flex min-h-16 items-center gap-3 border-b border-line px-4 py-2">
      <Avatar name={person.name} src={person.avatar_url} size={40} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{person.name}</p>
        <p className="text-sm text-soft tabular-nums">{words.since(date(Date.parse(person.blocked_at)))}</p>
      </div>
      <Button
        look="quiet"
        size="small"
        busy={busy}
        busyLabel={text.working}
        aria-label={words.unblockOf(person.name)}
        onClick={() => void unblock()}
      >
        {words.unblock}
      </Button>
    </li>
  )
}
