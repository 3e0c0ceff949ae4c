// BlockList: blocked and muted people, with buttons to undo.
import { useQueryClient, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { loadMore, type PagedList } from '#src/domain/queries/load-more.ts'
import { setBlocked, setMuted } from '#src/domain/people/relations.ts'
import { date } from '#src/lib/format.ts'
import { text } from '#src/domain/text/text.ts'
import { BlockedWords } from './blocked-words.tsx'
import { blockedWordsText } from './blocked-words-text.ts'
import { blocksText, mutesText } from './text.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { blocksQuery, mutesQuery, showFailure } from './settings.ts'

export type HiddenTab = 'blocks' | 'mutes' | 'words'

interface HiddenPeopleProps {
  tab: HiddenTab
  onChange: (tab: HiddenTab) => void
  failed: Parameters<typeof BlockedWords>[0]['failed']
}

export function HiddenPeople({ tab, onChange, failed }: HiddenPeopleProps) {
  return (
    <Tabs
      label={blocksText.tabs}
      value={tab}
      onChange={onChange}
      tabs={[
        { value: 'blocks', label: blocksText.tab, panel: <Blocked /> },
        { value: 'mutes', label: mutesText.tab, panel: <Muted /> },
        { value: 'words', label: blockedWordsText.tab, panel: <BlockedWords failed={failed} /> },
      ]}
    />
  )
}

function Blocked() {
  const list = useSuspenseInfiniteQuery(blocksQuery)
  const client = useQueryClient()
  const people = list.data.pages.flatMap((page) => page.people)
  return (
    <People
      people={people.map(({ blocked_at: since, ...person }) => ({ ...person, since }))}
      words={blocksText}
      undo={(id) => setBlocked(client, id, false)}
      list={list}
    />
  )
}

function Muted() {
  const list = useSuspenseInfiniteQuery(mutesQuery)
  const client = useQueryClient()
  const people = list.data.pages.flatMap((page) => page.people)
  return (
    <People
      people={people.map(({ muted_at: since, ...person }) => ({ ...person, since }))}
      words={mutesText}
      undo={(id) => setMuted(client, id, false)}
      list={list}
    />
  )
}

interface Hidden {
  id: string
  name: string
  avatar_url: string | null
  since: string
}

interface PeopleProps {
  people: readonly Hidden[]
  words: typeof blocksText | typeof mutesText
  undo: (id: string) => Promise<void>
  list: PagedList
}

function People({ people, words, undo, list }: PeopleProps) {
  if (people.length === 0 && !list.hasNextPage)
    return <EmptyState drawing="letter" title={words.emptyTitle} text={words.emptyText} />
  return (
    <div className="pb-16">
      <p className="px-4 pt-5 pb-4 text-soft">{words.lead}</p>
      <ul className="border-t border-line">
        {people.map((person) => (
          <Person key={person.id} person={person} words={words} undo={undo} />
        ))}
      </ul>
      <LoadMore {...loadMore(list, words.more)} />
    </div>
  )
}

function Person({ person, words, undo }: Pick<PeopleProps, 'words' | 'undo'> & { person: Hidden }) {
  const [busy, setBusy] = useState(false)
  async function press() {
    setBusy(true)
    try {
      await undo(person.id)
      toast(words.undone(person.name), 'success')
    } catch (failure) {
      showFailure(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <li className="flex min-h-16 items-center gap-3 border-b border-line px-4 py-2">
      <Avatar name={person.name} src={person.avatar_url} size={40} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{person.name}</p>
        <p className="text-sm text-soft tabular-nums">{words.since(date(Date.parse(person.since)))}</p>
      </div>
      <Button
        look="quiet"
        size="small"
        busy={busy}
        busyLabel={text.working}
        aria-label={words.undoOf(person.name)}
        onClick={() => void press()}
      >
        {words.undo}
      </Button>
    </li>
  )
}
