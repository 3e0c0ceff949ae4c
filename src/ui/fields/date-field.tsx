// DateField: a date as three lists, for touch and screen readers.
import { useId, useState } from 'react'
import { FieldNotes, type FieldProps } from './field.tsx'
import { Select, type Option } from './select.tsx'

interface DateFieldProps extends Pick<FieldProps, 'label' | 'hint' | 'error'> {
  /** `YYYY-MM-DD`, or '' while a part is missing. */
  value: string
  onChange: (day: string) => void
  onBlur?: () => void
  years: { from: number; to: number }
  words: { year: string; month: string; day: string }
  /** Which personal date this is, for the browser's own filling-in. */
  autoComplete?: 'bday'
}

type Parts = { year: string; month: string; day: string }

function listed(from: number, to: number, word: string): Option[] {
  const step = from <= to ? 1 : -1
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => {
    const value = String(from + i * step)
    return { value, label: value + word }
  })
}

const daysIn = ({ year, month }: Parts) =>
  month === '' ? 31 : new Date(Date.UTC(Number(year || 2000), Number(month), 0)).getUTCDate()

const partsOf = (day: string): Parts => {
  const [year = '', month = '', date = ''] = day.split('-').map((it) => (it === '' ? '' : String(Number(it))))
  return { year, month, day: date }
}

const dayOf = ({ year, month, day }: Parts) =>
  year && month && day ? `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : ''

export function DateField(props: DateFieldProps) {
  const { label, hint, error, value, onChange, onBlur, years, words, autoComplete } = props
  const id = useId()
  const notes = hint || error ? `${id}-notes` : undefined
  const [parts, setParts] = useState(() => partsOf(value))
  function choose(change: Partial<Parts>) {
    const next = { ...parts, ...change }
    if (Number(next.day) > daysIn(next)) next.day = ''
    setParts(next)
    onChange(dayOf(next))
  }
  const part = (name: keyof Parts, options: Option[]) => (
    <Select
      aria-label={words[name]}
      aria-describedby={notes}
      aria-invalid={error ? true : undefined}
      placeholder={words[name]}
      options={options}
      value={parts[name]}
      onChange={(event) => choose({ [name]: event.target.value })}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.closest('fieldset')?.contains(relatedTarget)) onBlur?.()
      }}
      autoComplete={autoComplete && `${autoComplete}-${name}`}
    />
  )
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-semibold">{label}</legend>
      <div className="grid grid-cols-[1.3fr_1fr_1fr] gap-2">
        {part('year', listed(years.to, years.from, words.year))}
        {part('month', listed(1, 12, words.month))}
        {part('day', listed(1, daysIn(parts), words.day))}
      </div>
      <FieldNotes id={notes} hint={hint} error={error} />
    </fieldset>
  )
}
