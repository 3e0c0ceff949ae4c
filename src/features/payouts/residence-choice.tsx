// ResidenceChoice: where a creator lives for tax, without a choice made for them.
import { useId } from 'react'
import { type Residence, residences } from '#contract/payouts/residence.ts'
import { FieldNotes } from '#src/ui/fields/field.tsx'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'
import { residenceText as words } from './text.ts'

interface ResidenceChoiceProps {
  /** '' before one is chosen. */
  value: string
  onChange: (value: Residence) => void
  error?: string | undefined
  hint?: string | undefined
}

export function ResidenceChoice({ value, onChange, error, hint }: ResidenceChoiceProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={hint || error ? id : undefined} className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-semibold">{words.label}</legend>
      <RadioCards<Residence | ''>
        label={words.label}
        value={value as Residence | ''}
        onChange={(next) => next !== '' && onChange(next)}
        cards={residences.map((it) => ({ value: it, ...words.choices[it] }))}
      />
      <FieldNotes id={id} hint={hint} error={error} count={undefined} />
    </fieldset>
  )
}
