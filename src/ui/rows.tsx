// Rows: a group of settings rows with icon, title and value.
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
  /** The current value of the setting. */
  value?: string | undefined
}

const lineClass = 'flex min-h-14 w-full items-center gap-3 px-4 py-2.5 text-left hover:bg-sunk'

function RowContent({ title, icon, hint, value }: Omit<RowProps, 'to'>) {
  return (
    <>
      {icon && <span className="shrink-0 text-soft">{icon}</span>}
      <span className="min-w-0 flex-1">
        <span className="block">{title}</span>
        {hint && <span className="block text-sm text-soft">{hint}</span>}
      </span>
      {value && <span className="max-w-[45%] truncate text-sm text-soft">{value}</span>}
      <ChevronRight aria-hidden size={18} className="shrink-0 text-soft" />
    </>
  )
}

export function Row({ to, ...line }: RowProps) {
  return (
    <li className="border-b border-line">
      <Link to={to} className={lineClass}>
        <RowContent {...line} />
      </Link>
    </li>
  )
}

/** A row that opens an overlay. */
export function RowButton({ onPress, ...line }: Omit<RowProps, 'to'> & { onPress: () => void }) {
  return (
    <li className="border-b border-line">
      <button type="button" onClick={onPress} className={lineClass}>
        <RowContent {...line} />
      </button>
    </li>
  )
}
