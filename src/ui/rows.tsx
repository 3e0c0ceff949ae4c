// Rows: a named group of lines that lead to other pages, each with an icon, a title and what is set there now.
import { Link, type LinkProps } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useId, type ReactNode } from 'react'

/** `label` is the group's heading. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-6 first:mt-3">
      <h2 id={id} className="px-4 pb-1 text-sm font-semibold text-soft">
        {label}
      </h2>
      <ul className="border-t border-line">{children}</ul>
    </section>
  )
}

export interface RowProps {
  to: NonNullable<LinkProps['to']>
  title: string
  icon?: ReactNode
  hint?: string | undefined
  /** What is set there now. */
  value?: string | undefined
}

export function Row({ to, title, icon, hint, value }: RowProps) {
  return (
    <li className="border-b border-line">
      <Link to={to} className="flex min-h-14 items-center gap-3 px-4 py-2.5 hover:bg-sunk">
        {icon && <span className="shrink-0 text-soft">{icon}</span>}
        <span className="min-w-0 flex-1">
          <span className="block">{title}</span>
          {hint && <span className="block text-sm text-soft">{hint}</span>}
        </span>
        {value && <span className="max-w-[45%] truncate text-sm text-soft">{value}</span>}
        <ChevronRight aria-hidden size={18} className="shrink-0 text-soft" />
      </Link>
    </li>
  )
}
