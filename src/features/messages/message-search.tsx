// MessageSearch: the field and the filters of a search in messages.
import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import { messageParts, messageWriters } from '#contract/messages/search-choices.ts'
import { MAX_QUERY } from '#contract/limits.ts'
import { Button } from '#src/ui/button.tsx'
import { Chips } from '#src/ui/fields/chips.tsx'
import type { MessageSearchParams } from './search-params.ts'
import { searchInMessagesText as words } from './text.ts'

interface MessageSearchProps {
  search: MessageSearchParams
  /** Name of the person whose conversation is searched. */
  inConversation: string | undefined
  onSearch: (next: MessageSearchParams) => void
}

export function MessageSearch({ search, inConversation, onSearch }: MessageSearchProps) {
  const [typed, setTyped] = useState(search.q)
  const { q, user, from, has, since } = search
  /** Without a value the limit is removed. */
  const narrow: Narrow = (name, value) => {
    const next = { q, user, from, has, since, [name]: value === '' ? undefined : value }
    const given = Object.entries(next).filter(([, it]) => it !== undefined)
    onSearch(Object.fromEntries(given) as unknown as MessageSearchParams)
  }
  return (
    <search className="flex flex-col gap-4 border-b border-line px-4 py-4 rail:px-6">
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() !== '') onSearch({ ...search, q: typed.trim() })
        }}
      >
        <input
          type="search"
          value={typed}
          maxLength={MAX_QUERY * 2}
          aria-label={words.field}
          placeholder={words.field}
          enterKeyHint="search"
          onChange={(event) => setTyped(event.target.value)}
          className="min-h-11 min-w-0 flex-1 rounded-pill border border-edge bg-raised px-4 outline-none focus:border-ink"
        />
        <Button type="submit" look="ink" aria-label={words.act} icon={<Search aria-hidden size={18} />} />
      </form>
      {inConversation !== undefined && (
        <p className="flex items-center gap-2 text-sm">
          <span className="min-w-0 flex-1 truncate">{words.only(inConversation)}</span>
          <Button look="quiet" size="small" onClick={() => narrow('user', '')}>
            {words.everywhere}
          </Button>
        </p>
      )}
      <Limits search={search} narrow={narrow} />
    </search>
  )
}

/** Sets one limit of the search; '' removes it. */
type Narrow = (name: 'from' | 'has' | 'since' | 'user', value: string) => void

interface LimitsProps {
  search: MessageSearchParams
  narrow: Narrow
}

function Limits({ search: { from, has, since }, narrow }: LimitsProps) {
  const id = useId()
  return (
    <>
      <Chips
        label={words.from.label}
        value={from ?? ''}
        onChange={(value) => narrow('from', value)}
        chips={[
          { value: '', label: words.any },
          ...messageWriters.map((value) => ({ value, label: words.from[value] })),
        ]}
      />
      <Chips
        label={words.has.label}
        value={has ?? ''}
        onChange={(value) => narrow('has', value)}
        chips={[
          { value: '', label: words.any },
          ...messageParts.map((value) => ({ value, label: words.has[value] })),
        ]}
      />
      <p className="flex flex-col gap-2">
        <label htmlFor={id} className="text-sm font-semibold">
          {words.since}
        </label>
        <input
          id={id}
          type="date"
          value={since ?? ''}
          onChange={(event) => narrow('since', event.target.value)}
          className="min-h-11 w-fit rounded-field border border-edge bg-raised px-3"
        />
      </p>
    </>
  )
}
