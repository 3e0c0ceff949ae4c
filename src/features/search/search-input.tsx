// SearchInput: the field of a search, with a button that empties it.
import { Search, X } from 'lucide-react'
import type { ComponentProps } from 'react'
import { MAX_QUERY } from '#contract/limits.ts'
import { searchText } from './text.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import type { Options } from './use-options.ts'

interface SearchInputProps extends ComponentProps<'input'> {
  value: string
  options: Options
  onClear: () => void
}

export function SearchInput({ value, options, onClear, ...rest }: SearchInputProps) {
  const { id, shown, active } = options
  return (
    <>
      <Search aria-hidden size={20} className="pointer-events-none absolute top-3 left-3.5 text-soft" />
      <input
        {...rest}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        role="combobox"
        aria-label={searchText.field}
        aria-expanded={shown}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={shown && active >= 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={MAX_QUERY}
        placeholder={searchText.field}
        value={value}
        className="block min-h-11 w-full rounded-pill border border-edge bg-raised pr-11 pl-11 text-ink placeholder:text-soft hover:border-ink focus:border-ink focus:outline-2 focus:outline-offset-0 focus:outline-ink"
      />
      {value !== '' && (
        <span className="absolute top-0 right-0">
          <IconButton label={searchText.clear} icon={<X size={20} />} onClick={onClear} />
        </span>
      )}
    </>
  )
}
