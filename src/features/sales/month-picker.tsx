// MonthPicker: the shown month, with the ones before and after it.
import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Select } from '#src/ui/fields/select.tsx'
import { monthAfter, monthName, monthsBetween } from './sales.ts'
import { salesText } from './text.ts'

const words = salesText.picker

interface MonthPickerProps {
  month: string
  /** The first month that has sales, and the current one. */
  first: string
  last: string
  onChange: (month: string) => void
}

export function MonthPicker({ month, first, last, onChange }: MonthPickerProps) {
  const months = monthsBetween(first < month ? first : month, last > month ? last : month)
  return (
    <nav aria-label={words.label} className="flex items-center justify-center gap-2 px-4 pt-4 rail:px-6">
      <Step to={monthAfter(month, -1)} isOpen={month > first} label={words.previous}>
        <ChevronLeft aria-hidden size={22} />
      </Step>
      <Select
        aria-label={words.label}
        className="w-40"
        options={months.map((it) => ({ value: it, label: monthName(it) }))}
        value={month}
        onChange={({ target }) => onChange(target.value)}
      />
      <Step to={monthAfter(month, 1)} isOpen={month < last} label={words.next}>
        <ChevronRight aria-hidden size={22} />
      </Step>
    </nav>
  )
}

interface StepProps {
  to: string
  isOpen: boolean
  label: string
  children: ReactNode
}

const stepClass = 'grid size-11 place-items-center rounded-full'

/** Leads to a month; keeps its place where there is none. */
function Step({ to, isOpen, label, children }: StepProps) {
  if (!isOpen) return <span className={`${stepClass} text-line`}>{children}</span>
  return (
    <Link
      to="/settings/sales-management"
      search={{ month: to }}
      replace
      resetScroll={false}
      aria-label={label}
      className={`${stepClass} hover:bg-sunk`}
    >
      {children}
    </Link>
  )
}
