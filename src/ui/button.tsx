// Button: a button that is disabled, with its width unchanged, while busy.
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import { Spinner } from './states/spinner.tsx'

export type ButtonLook = 'seal' | 'ink' | 'quiet' | 'danger'

const looks: Record<ButtonLook, string> = {
  seal: 'border border-transparent bg-seal-fill text-on-seal hover:brightness-95 disabled:bg-sunk disabled:text-soft',
  ink: 'border border-transparent bg-ink text-paper hover:opacity-90 disabled:bg-sunk disabled:text-soft',
  quiet: 'border border-edge text-ink hover:bg-sunk disabled:border-line disabled:text-soft',
  danger: 'border border-transparent text-seal-text hover:bg-sunk disabled:text-soft',
}

/** `pill` is low enough for a header; the finger still has 44 px. */
export type ButtonSize = 'normal' | 'small' | 'pill'

const sizes: Record<ButtonSize, string> = {
  normal: 'min-h-11 px-6 text-base',
  small: 'min-h-11 px-4 text-sm',
  pill: 'min-h-9 px-5 text-sm before:absolute before:-inset-x-1 before:-inset-y-1',
}

export interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook
  size?: ButtonSize
  busy?: boolean
  /** Said to assistive technology while busy. */
  busyLabel?: string
  wide?: boolean
  icon?: ReactNode
}

export function buttonClass(look: ButtonLook = 'ink', size: ButtonSize = 'normal', wide = false): string {
  return cx(
    'relative inline-flex shrink-0 items-center justify-center rounded-pill font-semibold transition-[filter,opacity,background-color] select-none',
    sizes[size],
    wide && 'w-full',
    looks[look],
  )
}

export function Button(props: ButtonProps) {
  const {
    look,
    size,
    busy = false,
    busyLabel,
    wide,
    icon,
    className,
    children,
    onClick,
    type = 'button',
    ...rest
  } = props
  return (
    <button
      {...rest}
      type={type}
      // What is invisible names nothing.
      aria-label={busy && busyLabel ? busyLabel : rest['aria-label']}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        // Staying focusable while busy keeps a keyboard's place; the press itself is swallowed.
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
      className={cx(buttonClass(look, size, wide), className)}
    >
      <span className={cx('inline-flex items-center gap-2 [&>svg]:shrink-0', busy && 'invisible')}>
        {icon}
        {children}
      </span>
      {busy && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner label={busyLabel} />
        </span>
      )}
    </button>
  )
}
