// DirectoryField: a bank or branch, chosen from suggestions by name, kana or code.
import { Combobox } from '@base-ui/react/combobox'
import { useState } from 'react'
import { type DirectoryEntry, MAX_FOUND } from '#contract/payouts/banks.ts'
import { controlClass, Field, useFieldControl } from '#src/ui/fields/field.tsx'
import { bankAccountText } from './text.ts'
import { useFound, type Found } from './use-found.ts'

const words = bankAccountText.form

interface DirectoryFieldProps {
  label: string
  hint: string
  error: string | undefined
  /** The bank whose branches are listed; null for banks. */
  bankCode: string | null
  chosen: DirectoryEntry | null
  onChoose: (entry: DirectoryEntry | null) => void
  onBlur: () => void
}

export function DirectoryField({ label, hint, error, ...choice }: DirectoryFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <Choice {...choice} />
    </Field>
  )
}

const labelOf = ({ name, code }: DirectoryEntry) => `${name}（${code}）`

function Choice({
  bankCode,
  chosen,
  onChoose,
  onBlur,
}: Omit<DirectoryFieldProps, 'label' | 'hint' | 'error'>) {
  const [typed, setTyped] = useState('')
  const control = useFieldControl()
  // The label of the chosen entry is no search.
  const found = useFound(chosen && typed === labelOf(chosen) ? chosen.code : typed, bankCode)
  return (
    <Combobox.Root
      items={found.entries}
      filter={null}
      value={chosen}
      onValueChange={onChoose}
      onInputValueChange={setTyped}
      itemToStringLabel={labelOf}
      isItemEqualToValue={(one: DirectoryEntry, other: DirectoryEntry) => one.code === other.code}
      disabled={bankCode === ''}
      autoHighlight
    >
      <Combobox.Input
        {...control}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onBlur={onBlur}
        className={controlClass}
      />
      <Suggestions found={found} />
    </Combobox.Root>
  )
}

function Suggestions({ found }: { found: Found }) {
  return (
    <Combobox.Portal>
      <Combobox.Positioner sideOffset={4} collisionPadding={8} className="z-50 outline-none">
        <Combobox.Popup className="max-h-[min(20rem,var(--available-height))] w-(--anchor-width) overflow-y-auto overscroll-contain rounded-media border border-line bg-raised py-1 text-ink shadow-float">
          <Combobox.Status className="px-3.5 py-2 text-sm text-soft empty:hidden">
            {sentenceOf(found)}
          </Combobox.Status>
          <Combobox.List>
            {(entry: DirectoryEntry) => (
              <Combobox.Item
                key={entry.code}
                value={entry}
                className="flex min-h-12 cursor-pointer items-baseline gap-3 px-3.5 py-2.5 data-highlighted:bg-sunk data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-ink"
              >
                <span className="w-10 shrink-0 text-sm text-soft tabular-nums">{entry.code}</span>
                <span className="min-w-0 flex-1">
                  <span className="block font-semibold">{entry.name}</span>
                  <span className="block text-sm text-soft">{entry.kana}</span>
                </span>
              </Combobox.Item>
            )}
          </Combobox.List>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  )
}

function sentenceOf({ state, entries }: Found): string {
  switch (state) {
    case 'loading':
      return words.loading
    case 'failed':
      return words.notLoaded
    case 'found':
      if (entries.length === 0) return words.none
      return entries.length < MAX_FOUND ? words.found(entries.length) : words.foundMost(MAX_FOUND)
    default:
      return state satisfies never
  }
}
