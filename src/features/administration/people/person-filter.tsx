// PersonFilter: chooses a person for a filter, by a search of people.
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { MAX_STAFF_SEARCH } from '#contract/administration/people.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { foundQuery } from './people.ts'
import { peopleText } from './text.ts'

const words = peopleText.filter
/** People that are offered. */
const OFFERED = 8

interface PersonFilterProps {
  label: string
  /** Id of the chosen person. */
  chosen: string | undefined
  onChoose: (id: string | undefined) => void
  className?: string
}

export function PersonFilter(props: PersonFilterProps) {
  return props.chosen === undefined ? <Search {...props} /> : <Chosen {...props} chosen={props.chosen} />
}

function Chosen({ label, chosen, onChoose, className }: PersonFilterProps & { chosen: string }) {
  const found = useQuery(foundQuery(chosen)).data?.people.find((it) => it.id === chosen)
  return (
    <div className={className}>
      <p className="text-sm font-semibold">{label}</p>
      <p className="mt-1.5 flex min-h-12 items-center gap-1 rounded-field border border-line bg-sunk pl-3">
        <span className="min-w-0 flex-1 truncate">{found?.name ?? words.id(chosen.slice(-8))}</span>
        <IconButton label={words.clear(label)} icon={<X size={18} />} onClick={() => onChoose(undefined)} />
      </p>
    </div>
  )
}

function Search({ label, onChoose, className }: PersonFilterProps) {
  const [typed, setTyped] = useState('')
  const [searched, setSearched] = useState('')
  const reading = useQuery({ ...foundQuery(searched), enabled: searched !== '' })
  const people = reading.data?.people ?? []
  const problem =
    reading.error instanceof ApiFailure
      ? errorText[reading.error.code]
      : reading.data && people.length === 0
        ? words.none
        : undefined
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        setSearched(typed.trim())
      }}
    >
      <Field label={label} error={problem}>
        <TextInput
          type="search"
          autoCapitalize="none"
          placeholder={words.placeholder}
          maxLength={MAX_STAFF_SEARCH}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      {people.length > 0 && (
        <ul aria-label={words.found} className="mt-1 rounded-field border border-line bg-raised">
          {people.slice(0, OFFERED).map((it) => (
            <li key={it.id}>
              <button
                type="button"
                className="flex min-h-11 w-full flex-col justify-center px-3 py-1 text-left hover:bg-sunk"
                onClick={() => onChoose(it.id)}
              >
                <span className="truncate">{it.name}</span>
                {it.handle !== null && <span className="truncate text-sm text-soft">@{it.handle}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}
