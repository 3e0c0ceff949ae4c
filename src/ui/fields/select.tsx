// Select: one of several options, in the device's native list.
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from '#src/ui/cx.ts'
import { controlClass, useFieldControl } from './field.tsx'

export interface Option {
  value: string
  label: string
}

export interface SelectProps extends Omit<ComponentProps<'select'>, 'children'> {
  options: readonly Option[]
  /** Shown while nothing is chosen. */
  placeholder?: string
}

/** Used alone it needs an aria-label; inside a Field it is the field's control. */
export function Select({ options, placeholder, className, ...rest }: SelectProps) {
  return (
    <div className={cx('relative', className)}>
      <select
        {...useFieldControl()}
        {...rest}
        className={cx(controlClass, 'appearance-none pr-9 tabular-nums')}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((it) => (
          <option key={it.value} value={it.value}>
            {it.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        size={18}
        className="pointer-events-none absolute inset-y-0 right-2.5 my-auto text-soft"
      />
    </div>
  )
}
