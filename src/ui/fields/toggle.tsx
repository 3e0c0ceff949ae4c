// Toggle: a switch without a visible label, for tables.
import { Switch as Base } from '@base-ui/react/switch'

interface ToggleProps {
  label?: string
  id?: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  describedBy?: string | undefined
}

export function Toggle({ label, id, checked, onChange, disabled = false, describedBy }: ToggleProps) {
  return (
    <Base.Root
      {...(id === undefined ? {} : { id })}
      aria-label={label}
      nativeButton
      render={<button type="button" />}
      checked={checked}
      onCheckedChange={(next) => onChange(next)}
      disabled={disabled}
      aria-describedby={describedBy}
      className="group relative grid h-11 w-13 shrink-0 place-items-center disabled:opacity-50"
    >
      <span className="h-8 w-13 rounded-pill border border-edge bg-sunk transition-colors group-data-checked:border-ink group-data-checked:bg-ink forced-colors:border-[ButtonText] forced-colors:forced-color-adjust-none forced-colors:bg-[ButtonFace] forced-colors:group-data-checked:bg-[Highlight]" />
      <Base.Thumb className="absolute left-1 size-6 rounded-pill bg-edge transition-[translate,background-color] data-checked:translate-x-5 data-checked:bg-paper forced-colors:forced-color-adjust-none forced-colors:bg-[ButtonText] forced-colors:data-checked:bg-[HighlightText]" />
    </Base.Root>
  )
}
