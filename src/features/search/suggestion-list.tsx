// SuggestionList: the list below the field, of words and people.
import { Clock, Search } from 'lucide-react'
import { termsOf } from '#contract/text/fold.ts'
import { Marked, SearchedFor } from '#src/domain/posts/highlight.tsx'
import { searchText } from './text.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { cx } from '#src/ui/cx.ts'
import type { Options } from './use-options.ts'
import type { Suggestion } from './use-suggestions.ts'

interface SuggestionListProps {
  options: Options
  suggestions: readonly Suggestion[]
  typed: string
  onChoose: (it: Suggestion) => void
}

const keyOf = (it: Suggestion) => (it.is === 'word' ? `word ${it.word}` : it.person.id)

export function SuggestionList({ options, suggestions, typed, onChoose }: SuggestionListProps) {
  const { id, shown, active } = options
  return (
    <SearchedFor value={termsOf(typed)}>
      <div
        id={id}
        // A list of pictures and lines, which no select can show.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="listbox"
        aria-label={searchText.suggestions}
        hidden={!shown}
        className="absolute inset-x-0 top-full z-30 mt-1 overflow-hidden rounded-media border border-line bg-raised py-1 shadow-float"
      >
        {(shown ? suggestions : []).map((it, i) => (
          // The field keeps the focus and has the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={keyOf(it)}
            id={`${id}-${i}`}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
            role="option"
            aria-selected={i === active}
            // The field keeps the focus: a press here does not close the list before it counts.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(it)}
            className={cx(
              'flex min-h-12 cursor-pointer items-center gap-3 px-3.5 py-1.5 hover:bg-sunk',
              i === active && 'bg-sunk outline-2 -outline-offset-2 outline-ink',
            )}
          >
            {it.is === 'word' ? <Word word={it.word} before={it.before} /> : <Person person={it.person} />}
          </div>
        ))}
      </div>
    </SearchedFor>
  )
}

function Word({ word, before }: { word: string; before: boolean }) {
  const Icon = before ? Clock : Search
  return (
    <>
      <Icon aria-hidden size={18} className="mx-1.5 shrink-0 text-soft" />
      <span className="truncate">
        <Marked text={word} />
      </span>
    </>
  )
}

function Person({ person }: Pick<Extract<Suggestion, { is: 'person' }>, 'person'>) {
  return (
    <>
      <Avatar name={person.name} src={person.avatar_url} size={40} />
      <span className="min-w-0">
        <span className="block truncate font-semibold">
          <Marked text={person.name} />
        </span>
        {person.handle !== null && (
          <span className="block truncate text-sm text-soft">
            @<Marked text={person.handle} />
          </span>
        )}
      </span>
    </>
  )
}
