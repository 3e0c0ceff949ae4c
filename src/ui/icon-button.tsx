// IconButton: a round button of one icon; its label is heard and shown as a tip.
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  label: string
  icon: ReactNode
  look?: 'plain' | 'over'
}

export function IconButton({
  label,
  icon,
  look = 'plain',
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={cx(
        'grid size-11 shrink-0 place-items-center rounded-pill transition-colors disabled:opacity-40',
        look === 'plain' ? 'text-ink hover:bg-sunk' : 'bg-black/60 text-white hover:bg-black/75',
        className,
      )}
    >
      {icon}
    </button>
  )
}
