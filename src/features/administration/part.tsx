// Part and WideTable: titled parts of pages of staff, and their tables.
import { useId, type ReactNode } from 'react'

export function Part({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="px-4 pt-8">
      <h3 id={id} className="pb-2 font-semibold">
        {title}
      </h3>
      {lead !== undefined && <p className="pb-2 text-sm text-soft">{lead}</p>}
      {children}
    </section>
  )
}

/** A table that scrolls to the side where it is wider than the page; keys reach it, too. */
export function WideTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys
      tabIndex={0}
      className="overflow-x-auto"
    >
      <table className="w-full text-sm tabular-nums">{children}</table>
    </section>
  )
}

export const headClass = 'border-b border-line py-2 pr-3 text-left font-normal whitespace-nowrap text-soft'
export const cellClass = 'border-b border-line py-2 pr-3 whitespace-nowrap'
