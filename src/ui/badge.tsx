// Badge: a short label; Mark: a count or a dot.
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

const looks = {
  plain: 'border-line text-soft',
  good: 'border-good text-good-text',
  care: 'border-care text-care-text',
  info: 'border-info text-info-text',
  over: 'border-transparent bg-black/60 text-white',
} as const

export function Badge({
  look = 'plain',
  icon,
  children,
}: {
  look?: keyof typeof looks
  icon?: ReactNode
  children: ReactNode
}) {
  return (
    <span
      className={cx(
        'inline-flex h-6 shrink-0 items-center gap-1 rounded-pill border px-2 text-xs font-semibold tabular-nums',
        looks[look],
      )}
    >
      {icon}
      {children}
    </span>
  )
}

export function Mark({ count, label }: { count?: number; label: string }) {
  if (count === 0) return null
  return (
    <span
      className={cx(
        'marked-part inline-grid place-items-center rounded-pill bg-seal-fill text-on-seal',
        count === undefined
          ? 'size-2'
          : 'h-5 min-w-5 px-1.5 text-[min(0.75rem,16px)] leading-none font-semibold tabular-nums',
      )}
    >
      <span className="sr-only">{label}</span>
      {count !== undefined && <span aria-hidden>{count > 99 ? '99+' : count}</span>}
    </span>
  )
}
