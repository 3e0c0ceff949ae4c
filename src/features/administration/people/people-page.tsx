// PeoplePage: staff search people; each result leads to the person's page.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { type Ref, useRef, useState } from 'react'
import { type FoundPerson, MAX_STAFF_SEARCH } from '#contract/administration/people.ts'
import { date } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { KeysSheet } from '#src/features/administration/keys-sheet.tsx'
import { useListKeys } from '#src/features/administration/list-keys.ts'
import { staffText } from '#src/features/administration/staff/text.ts'
import { administrationText } from '#src/features/administration/text.ts'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { foundQuery } from './people.ts'
import { peopleText as words } from './text.ts'

interface PeoplePageProps {
  /** What is searched; undefined before. */
  searched: string | undefined
  onSearch: (text: string) => void
  failed: Failed
}

export function PeoplePage({ searched, onSearch, failed }: PeoplePageProps) {
  const list = useRef<HTMLUListElement>(null)
  const [help, setHelp] = useState(false)
  useListKeys({ list, onHelp: () => setHelp(true) })
  return (
    <section aria-labelledby="people" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <h2 id="people" className="px-4 pt-3 pb-2 text-lg font-semibold">
        {words.title}
      </h2>
      <p className="px-4 pb-4 text-soft">{words.lead}</p>
      <SearchForm key={searched} searched={searched ?? ''} onSearch={onSearch} />
      {searched !== undefined && <Results q={searched} failed={failed} list={list} />}
      <KeysSheet open={help} onClose={() => setHelp(false)} />
    </section>
  )
}

function SearchForm({ searched, onSearch }: { searched: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(searched)
  return (
    <search>
      <form
        className="px-4 pb-6"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() !== '') onSearch(typed.trim())
        }}
      >
        <Field label={words.search.label} hint={words.search.hint}>
          <TextInput
            type="search"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={MAX_STAFF_SEARCH}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Button look="ink" type="submit" className="mt-3">
          {words.search.act}
        </Button>
      </form>
    </search>
  )
}

interface ResultsProps {
  q: string
  failed: Failed
  list: Ref<HTMLUListElement>
}

function Results({ q, failed, list }: ResultsProps) {
  const reading = useQuery(foundQuery(q))
  if (reading.isPending) return <Waiting />
  if (!reading.data) return failed(reading.error, reading.refetch)
  const { people, more } = reading.data
  if (people.length === 0)
    return <EmptyState drawing="letter" title={words.search.none} text={words.search.noneText} />
  return (
    <>
      <ul ref={list} aria-label={words.search.results} className="border-t border-line">
        {people.map((it) => (
          <Result key={it.id} person={it} />
        ))}
      </ul>
      {more && <p className="px-4 pt-4 text-sm text-soft">{words.search.more}</p>}
    </>
  )
}

function Result({ person }: { person: FoundPerson }) {
  const { id, name, handle, role, state, created_at: since } = person
  return (
    <li data-row tabIndex={-1} className="border-b border-line -outline-offset-2">
      <Link
        data-open
        to="/administration"
        search={{ show: 'people', person: id }}
        className="flex min-h-16 items-center gap-3 px-4 py-3 hover:bg-sunk"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-semibold">{name}</span>
          <span className="block truncate text-sm text-soft">
            {[handle !== null && `@${handle}`, administrationText.registeredOn(date(Date.parse(since)))]
              .filter(Boolean)
              .join('・')}
          </span>
        </span>
        {role !== 'member' && <Badge look="info">{staffText.roles[role]}</Badge>}
        {state !== 'present' && <Badge look="care">{words.states[state]}</Badge>}
      </Link>
    </li>
  )
}
