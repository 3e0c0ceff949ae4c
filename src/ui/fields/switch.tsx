// Switch: a setting that takes effect at once.
import { useId, type ReactNode } from 'react'
import { Toggle } from './toggle.tsx'

interface SwitchProps {
  label: ReactNode
  hint?: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  icon?: ReactNode
}

export function Switch({ label, hint, checked, onChange, disabled = false, icon }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex min-h-14 items-center gap-3 py-2">
      {icon && <span className="text-soft">{icon}</span>}
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="block">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-soft">
            {hint}
          </p>
        )}
      </div>
      <Toggle
        id={id}
        checked={checked}
        onChange={onChange}
        disabled={disabled}
        describedBy={hint ? `${id}-hint` : undefined}
      />
    </div>
  )
}
