// IconButton: a button with one icon; its label is its accessible name and its tooltip.
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  label: string
  icon: ReactNode
  /** On the page, or in a dark disc over a picture. The finger always has 44 px. */
  look?: 'plain' | 'over' | 'over-small'
}

const disc = { over: 'size-9', 'over-small': 'size-7' } as const

export function IconButton(props: IconButtonProps) {
  const { label, icon, look = 'plain', className, type = 'button', ...rest } = props
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={cx(
        'group grid size-11 shrink-0 place-items-center rounded-pill transition-colors disabled:opacity-40',
        look === 'plain' && 'text-ink hover:bg-sunk',
        className,
      )}
    >
      {look === 'plain' ? (
        icon
      ) : (
        <span
          className={cx(
            'grid place-items-center rounded-pill bg-black/60 text-white transition-colors group-hover:bg-black/80',
            disc[look],
          )}
        >
          {icon}
        </span>
      )}
    </button>
  )
}
