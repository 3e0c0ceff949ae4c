// FilterSheet: the filters of search results, applied together.
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { searchMedia, searchPeriods, searchTypes } from '#contract/search/search-choices.ts'
import { text } from '#src/domain/text/text.ts'
import { searchText } from './text.ts'
import { Button } from '#src/ui/button.tsx'
import { Chips } from '#src/ui/fields/chips.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import type { Filters } from './filters.ts'

interface FilterButtonProps {
  filters: Filters
  onChange: (filters: Filters) => void
}

const groups = [
  ['type', searchTypes],
  ['media', searchMedia],
  ['period', searchPeriods],
] as const

export function FilterButton({ filters, onChange }: FilterButtonProps) {
  const [open, setOpen] = useState(false)
  const count = Object.keys(filters).length
  return (
    <>
      <Button
        look={count > 0 ? 'ink' : 'quiet'}
        size="small"
        icon={<SlidersHorizontal aria-hidden size={16} />}
        onClick={() => setOpen(true)}
      >
        {count > 0 ? searchText.filterOn(count) : searchText.filter}
      </Button>
      <Sheet open={open} onOpenChange={setOpen} title={searchText.filterTitle} closeLabel={text.close}>
        <Choices
          filters={filters}
          onTake={(next) => {
            setOpen(false)
            onChange(next)
          }}
        />
      </Sheet>
    </>
  )
}

/** The choices, which start from the current filters when the sheet opens. */
function Choices({ filters, onTake }: { filters: Filters; onTake: (filters: Filters) => void }) {
  const [chosen, setChosen] = useState<Filters>(filters)
  function set(name: keyof Filters, value: string): void {
    const { [name]: _, ...rest } = chosen
    setChosen(value === '' ? rest : { ...rest, [name]: value })
  }
  return (
    <div className="flex flex-col gap-5">
      {groups.map(([name, options]) => {
        const words: Record<string, string> = searchText[name]
        return (
          <Chips
            key={name}
            label={searchText[name].label}
            value={chosen[name] ?? ''}
            onChange={(value) => set(name, value)}
            chips={[
              { value: '', label: searchText.any },
              ...options.map((value) => ({ value, label: words[value] ?? value })),
            ]}
          />
        )
      })}
      <div className="flex gap-3 border-t border-line pt-4">
        <Button look="quiet" onClick={() => onTake({})}>
          {searchText.reset}
        </Button>
        <Button look="ink" onClick={() => onTake(chosen)} className="flex-1">
          {searchText.apply}
        </Button>
      </div>
    </div>
  )
}
