// Banner: a short message above a page, with an optional action.
import type { ReactNode } from 'react'
import { cx } from '#src/ui/cx.ts'

const looks = {
  plain: 'text-ink',
  info: 'text-info-text',
  good: 'text-good-text',
  care: 'text-care-text',
  error: 'text-seal-text',
} as const

interface BannerProps {
  look?: keyof typeof looks
  icon?: ReactNode
  children: ReactNode
  action?: ReactNode
}

export function Banner({ look = 'plain', icon, children, action }: BannerProps) {
  return (
    <div
      role={look === 'error' ? 'alert' : 'status'}
      className="flex min-h-11 flex-wrap items-center gap-x-3 border-b border-line bg-sunk px-4 py-1 text-sm"
    >
      {/* Buttons that would leave the text too little room are placed below it. */}
      <div className="flex min-w-0 flex-1 basis-60 items-center gap-3">
        {icon && <span className={cx('shrink-0', looks[look])}>{icon}</span>}
        <p className="min-w-0 flex-1 py-1.5">{children}</p>
      </div>
      {action && <div className="ml-auto shrink-0">{action}</div>}
    </div>
  )
}
