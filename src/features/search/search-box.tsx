// SearchBox: the field, and what is suggested below it while one types. Enter that ends a composition searches nothing.
import { Search, X } from 'lucide-react'
import { useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import type { PersonView } from '#contract/people/people.ts'
import { MAX_QUERY } from '#contract/limits.ts'
import { searchText } from './text.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { useHistory } from './history.ts'
import { SuggestionList } from './suggestion-list.tsx'
import { type Suggestion, useSuggestions } from './use-suggestions.ts'

interface SearchBoxProps {
  ownerId: string
  /** What was searched for, on the page of its results. */
  initial: string
  onSearch: (q: string) => void
  onPerson: (person: PersonView) => void
}

/** Safari ends a composition before it tells of the key that ended it; 229 is what such keys have in common. */
const isComposing = (event: KeyboardEvent) => event.nativeEvent.isComposing || event.keyCode === 229

export function SearchBox({ ownerId, initial, onSearch, onPerson }: SearchBoxProps) {
  const [typed, setTyped] = useState(initial)
  const [settled, setSettled] = useState(initial)
  const [open, setOpen] = useState(false)
  // Nothing is suggested for a search that is done until somebody changes it.
  const [touched, setTouched] = useState(false)
  const [active, setActive] = useState(-1)
  const field = useRef<HTMLInputElement>(null)
  const composing = useRef(false)
  const listId = useId()
  const suggestions = useSuggestions(touched ? settled : '', useHistory(ownerId))
  const shown = open && suggestions.length > 0

  function change(value: string): void {
    setTyped(value)
    setTouched(true)
    setOpen(true)
    setActive(-1)
    if (!composing.current) setSettled(value)
  }
  function search(q: string): void {
    const words = q.trim()
    if (words === '') return
    change(words)
    setOpen(false)
    field.current?.blur()
    onSearch(words)
  }
  function choose(it: Suggestion): void {
    if (it.is === 'word') return search(it.word)
    setOpen(false)
    onPerson(it.person)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return
    if (event.key === 'Escape' && shown) {
      event.preventDefault()
      setOpen(false)
      setActive(-1)
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (suggestions.length === 0) return
      event.preventDefault()
      setOpen(true)
      setActive((at) => stepped(at, event.key === 'ArrowDown' ? 1 : -1, suggestions.length))
    }
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (composing.current) return
    const it = shown ? suggestions[active] : undefined
    if (it) choose(it)
    else search(typed)
  }

  return (
    <search>
      <form onSubmit={submit} className="relative">
        <Search aria-hidden size={20} className="pointer-events-none absolute top-3 left-3.5 text-soft" />
        <input
          ref={field}
          type="text"
          inputMode="search"
          enterKeyHint="search"
          role="combobox"
          aria-label={searchText.field}
          aria-expanded={shown}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={shown && active >= 0 ? `${listId}-${active}` : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={MAX_QUERY}
          placeholder={searchText.field}
          value={typed}
          onChange={(event) => change(event.target.value)}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onCompositionStart={() => (composing.current = true)}
          onCompositionEnd={(event) => {
            composing.current = false
            setSettled(event.currentTarget.value)
          }}
          onKeyDown={onKeyDown}
          className="block min-h-11 w-full rounded-pill border border-edge bg-raised pr-11 pl-11 text-ink placeholder:text-soft hover:border-ink focus:border-ink focus:outline-2 focus:outline-offset-0 focus:outline-ink"
        />
        {typed !== '' && (
          <span className="absolute top-0 right-0">
            <IconButton
              label={searchText.clear}
              icon={<X size={20} />}
              onClick={() => {
                change('')
                field.current?.focus()
              }}
            />
          </span>
        )}
        <SuggestionList
          id={listId}
          shown={shown}
          suggestions={suggestions}
          active={active}
          typed={settled}
          onChoose={choose}
        />
      </form>
    </search>
  )
}

/** Up and down go round, with the field itself between the last and the first. */
function stepped(at: number, by: 1 | -1, count: number): number {
  const places = count + 1
  return ((at + 1 + by + places) % places) - 1
}
