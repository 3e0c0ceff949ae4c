// Switch: a setting that takes effect at once.
import { Switch as Base } from '@base-ui/react/switch'
import { useId, type ReactNode } from 'react'

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
      <Base.Root
        id={id}
        nativeButton
        render={<button type="button" />}
        checked={checked}
        onCheckedChange={(next) => onChange(next)}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="group relative grid h-11 w-13 shrink-0 place-items-center disabled:opacity-50"
      >
        <span className="h-8 w-13 rounded-pill border border-edge bg-sunk transition-colors group-data-checked:border-ink group-data-checked:bg-ink" />
        <Base.Thumb className="absolute left-1 size-6 rounded-pill bg-edge transition-[translate,background-color] data-checked:translate-x-5 data-checked:bg-paper" />
      </Base.Root>
    </div>
  )
}
