// SearchBox: the search field, and the suggestions below it.
import { useRef, type FormEvent } from 'react'
import type { PersonView } from '#contract/people/people.ts'
import { useHistory } from './history.ts'
import { SearchInput } from './search-input.tsx'
import { SuggestionList } from './suggestion-list.tsx'
import { useComposedText } from './use-composed-text.ts'
import { useOptions } from './use-options.ts'
import { type Suggestion, useSuggestions } from './use-suggestions.ts'

interface SearchBoxProps {
  ownerId: string
  /** The text of the shown search. */
  initial: string
  onSearch: (q: string) => void
  onPerson: (person: PersonView) => void
}

export function SearchBox({ ownerId, initial, onSearch, onPerson }: SearchBoxProps) {
  const field = useRef<HTMLInputElement>(null)
  const text = useComposedText(initial)
  // A search that is done has no suggestions until its text is changed.
  const suggestions = useSuggestions(text.changed ? text.committed : '', useHistory(ownerId))
  const options = useOptions(suggestions.length)

  function change(value: string): void {
    text.change(value)
    options.restart()
  }
  function search(q: string): void {
    const words = q.trim()
    if (words === '') return
    change(words)
    options.close()
    field.current?.blur()
    onSearch(words)
  }
  function choose(it: Suggestion): void {
    if (it.is === 'word') return search(it.word)
    options.close()
    onPerson(it.person)
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (text.isComposing()) return
    const it = options.shown ? suggestions[options.active] : undefined
    if (it) choose(it)
    else search(text.typed)
  }

  return (
    <search>
      <form onSubmit={submit} className="relative">
        <SearchInput
          ref={field}
          options={options}
          value={text.typed}
          onChange={(event) => change(event.target.value)}
          onClear={() => {
            change('')
            field.current?.focus()
          }}
          {...options.events}
          {...text.events}
        />
        <SuggestionList
          options={options}
          suggestions={suggestions}
          typed={text.committed}
          onChoose={choose}
        />
      </form>
    </search>
  )
}
